//! `plangate archive`.

use std::fmt::Write as _;

use plangate::AnyPlan;
use plangate::plan::Operation;
use plangate::session::{Reason, Restored};
use plangate::store::{ArchiveName, Archived};
use plangate::tool::Facts;
use serde::Serialize;

use super::args::{Archive, Global};
use super::clean::{Clean, CleanLine};
use super::confirm::confirm;
use super::environment::Environment;
use super::exit::Exit;
use super::failure::Failure;
use super::style::DIM;
use super::which::Chosen;
use super::{markdown, output, wrap};

/// One archived plan, for programs.
#[derive(Serialize)]
struct Entry {
    name: String,
    /// completed, discarded, cancelled, legacy, orphan or damaged.
    mark: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    md: Option<String>,
}

impl From<&Archived> for Entry {
    fn from(entry: &Archived) -> Self {
        Self {
            name: entry.name.to_string(),
            mark: entry.name.mark().as_str(),
            title: entry.title.clone(),
            json: entry.json.as_ref().map(ToString::to_string),
            md: entry.md.as_ref().map(ToString::to_string),
        }
    }
}

pub(crate) fn run(global: &Global, environment: &Environment, command: Archive) -> Result<Exit, Failure> {
    let chosen = Chosen::find(global, environment)?;
    match command {
        Archive::List => list(global, &chosen),
        Archive::Show { name } => show(global, &chosen, name.as_deref()),
        Archive::Restore { name } => restore(global, &chosen, &name),
    }
}

fn list(global: &Global, chosen: &Chosen) -> Result<Exit, Failure> {
    let entries = chosen.session.archive().wait()?;
    if global.json {
        #[derive(Serialize)]
        struct Answer {
            session: String,
            why: String,
            archive: Vec<Entry>,
        }
        let archive = entries.iter().map(Entry::from).collect();
        output::json(&Answer { session: chosen.session.id().to_string(), why: chosen.why.to_string(), archive })?;
        return Ok(Exit::Done);
    }
    let mut out = String::new();
    if entries.is_empty() {
        let _ = writeln!(out, "Session {} has no archived plans.", chosen.session.id());
    }
    for entry in &entries {
        let title = entry.title.as_deref().filter(|title| !title.is_empty()).unwrap_or("(no title)");
        let _ = writeln!(out, "{}  {DIM}{}{DIM:#}  {}", entry.name, entry.name.mark().as_str(), CleanLine(title));
    }
    output::text(&out)?;
    Ok(Exit::Done)
}

/// The entry of that name.
fn find(chosen: &Chosen, name: &str) -> Result<Archived, Failure> {
    let entries = chosen.session.archive().wait()?;
    let wanted = ArchiveName::parse(chosen.session.id(), name);
    let names = entries.iter().map(|entry| entry.name.to_string()).collect();
    entries.into_iter().find(|entry| Some(&entry.name) == wanted.as_ref()).ok_or_else(|| {
        let reason = Reason::NotArchived { name: name.to_owned() };
        Failure::from(&reason).with_choices(names)
    })
}

fn show(global: &Global, chosen: &Chosen, name: Option<&str>) -> Result<Exit, Failure> {
    let entry = match name {
        Some(name) => find(chosen, name)?,
        None => chosen.session.archive().wait()?.pop().ok_or_else(|| {
            let message =
                format!("session {} has no archived plans. Name another one with --session.", chosen.session.id());
            Failure::new(Exit::Refused, "not-archived", message)
        })?,
    };
    let read = |path: &camino::Utf8PathBuf| -> Result<String, Failure> {
        let bytes = std::fs::read(path)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let json = entry.json.as_ref().map(read).transpose()?;
    let md = entry.md.as_ref().map(read).transpose()?;
    if global.json {
        #[derive(Serialize)]
        struct Answer {
            #[serde(flatten)]
            entry: Entry,
            /// The record as it is.
            #[serde(skip_serializing_if = "Option::is_none")]
            record: Option<Box<serde_json::value::RawValue>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            body: Option<String>,
        }
        // A damaged record is no JSON; its file is named.
        let record = json.and_then(|text| serde_json::value::RawValue::from_string(text).ok());
        output::json(&Answer { entry: Entry::from(&entry), record, body: md })?;
        return Ok(Exit::Done);
    }
    let mut out = format!("{} ({})\n", entry.name, entry.name.mark().as_str());
    if let Some(md) = md {
        let _ = write!(out, "\n{}", markdown::render(&md, wrap::screen_width()));
    }
    if let Some(json) = json {
        let _ = write!(out, "\n{DIM}{}{DIM:#}\n", Clean(json.trim_end()));
    }
    output::text(&out)?;
    Ok(Exit::Done)
}

fn restore(global: &Global, chosen: &Chosen, name: &str) -> Result<Exit, Failure> {
    let entry = find(chosen, name)?;
    let plan = match chosen.session.load().wait()? {
        AnyPlan::NoPlan(plan) => plan,
        other => {
            let refusal = other.refuse(Operation::Restore);
            return Err(refusal.map_or_else(
                || Failure::new(Exit::Refused, "discard-first", "there is a live plan already"),
                |refusal| Failure::from(&Reason::from(refusal)),
            ));
        }
    };
    let title = entry.title.clone().unwrap_or_default();
    let word = entry.digest.map_or_else(|| "restore".to_owned(), |digest| digest.prefix());
    confirm("bring this plan back", &format!("{} \"{}\"", entry.name, CleanLine(&title)), &word)?;
    let plan: AnyPlan = match plan.restore(entry.name).wait()? {
        Restored::Editing(plan) => plan.into(),
        Restored::Active(plan) => plan.into(),
    };
    if global.json {
        output::json(&Facts::of_plan(&plan, 1))?;
    } else {
        output::text(&format!("The plan is back, in {}.\n", plan.state_name()))?;
    }
    Ok(Exit::Done)
}

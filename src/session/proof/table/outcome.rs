use std::collections::BTreeSet;
use std::path::Path;

use plangate::plan::{Markdown, StateRef};
use plangate::{AnyPlan, Session};

use super::ground::{Ground, Ticks, Tree, scratch, tree, whole_tree};
use super::scenario::{Act, Entry, Scenario};

/// What a reader sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The state's name, or the code of the error.
    pub(crate) state: String,
    /// The digest of a live plan's record.
    json: Option<String>,
    /// The `.md` of a live plan.
    md: Option<Markdown>,
}

impl Seen {
    pub(crate) fn by(session: &Session) -> Self {
        let view = match session.view().wait() {
            Ok(view) => view,
            Err(error) => return Self { state: error.code().to_owned(), json: None, md: None },
        };
        let (is_live, md) = match view.state() {
            // Whether the clean-up of an ended plan is still to be done is no matter of the state.
            StateRef::NoPlan(_) => (false, None),
            StateRef::PreInit(_) => (true, None),
            StateRef::Editing(state) => (true, Some(state.markdown().clone())),
            StateRef::Active(state) => (true, Some(state.markdown().clone())),
        };
        let json = view.revision().filter(|_| is_live).map(|digest| digest.to_string());
        Self { state: view.state_name().to_string(), json, md }
    }
}

/// What the caller was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Answer {
    /// It is done.
    Done,
    /// It is not done.
    Refused,
    /// It can be seen, but may not last.
    Unsettled,
    /// Nothing: the process died.
    None,
}

/// Which row of the crash table it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    Old,
    /// The new `.md` beside the old JSON.
    Between,
    New,
}

/// A scenario with both its ends: what is on disk before it, and after a run without a fault.
pub(crate) struct Proof {
    pub(crate) scenario: &'static Scenario,
    pub(crate) before: Tree,
    /// `before`, lock files included.
    laid: Tree,
    old: Seen,
    pub(crate) after: Tree,
    new: Seen,
}

impl Proof {
    /// Runs the scenario without a fault.
    ///
    /// # Errors
    /// It fails, or a reader sees something else than it answered.
    pub(crate) fn of(scenario: &'static Scenario) -> Result<Self, String> {
        let folder = scratch();
        let ground = scenario.ground(folder.path());
        scenario.lay(ground.root());
        let session = ground.session(&Ticks::at(10));
        let (before, laid, old) = (tree(ground.root()), whole_tree(ground.root()), Seen::by(&session));
        let plan = scenario.run(&session, &ground, Entry::Load).map_err(|error| format!("without a fault: {error}"))?;
        let (after, new) = (tree(ground.root()), Seen::by(&session));
        let answered = plan.map_or("NoPlan".into(), |plan| plan.state_name().to_string());
        if new.state != answered {
            return Err(format!("it answered {answered}, and a reader sees {}", new.state));
        }
        if before == after {
            return Err("it changes nothing".into());
        }
        Ok(Self { scenario, before, laid, old, after, new })
    }

    /// Lays what is on disk before the scenario, in a new place.
    pub(crate) fn lay(&self, root: impl AsRef<Path>) -> Ground {
        let ground = self.scenario.ground(root);
        for (name, bytes) in &self.laid {
            ground.put(name, bytes);
        }
        ground
    }

    /// Which row of the crash table is on disk.
    ///
    /// # Errors
    /// What is there is in no row, or not in one that fits the answer, or something is lost.
    pub(crate) fn judge(&self, ground: &Ground, answer: Answer) -> Result<Found, String> {
        let seen = Seen::by(&ground.session(&Ticks::at(10)));
        let between = Seen { md: self.new.md.clone(), ..self.old.clone() };
        let found = match () {
            () if answer == Answer::Done && seen == self.new => Found::New,
            () if answer == Answer::Refused && seen == self.old => Found::Old,
            () if seen == self.new => Found::New,
            () if seen == self.old => Found::Old,
            () if self.scenario.md_first && seen == between => Found::Between,
            () => return Err(format!("a state of no row: {seen:?}, neither {:?} nor {:?}", self.old, self.new)),
        };
        let fits = match answer {
            Answer::Done => found == Found::New,
            // The rename of a `.md` that is written first is seen too.
            Answer::Unsettled => found != Found::Old,
            Answer::Refused => found != Found::New,
            Answer::None => true,
        };
        if !fits {
            return Err(format!("answered {answer:?}, and on disk is {found:?}"));
        }
        let now = tree(ground.root());
        for (name, bytes) in self.before.iter().filter(|(name, _)| !Ground::is_own(name)) {
            if now.get(name) != Some(bytes) {
                return Err(format!("{name} is not the session's to change"));
            }
        }
        let kept: BTreeSet<_> = self.after.values().collect();
        let there: BTreeSet<_> = now.values().collect();
        for (name, bytes) in &self.before {
            if kept.contains(bytes) && !there.contains(bytes) {
                return Err(format!("the bytes of {name} are lost"));
            }
        }
        Ok(found)
    }

    /// Judges, tidies up, and does what is not done yet; then everything must be as it is after a run without a fault.
    ///
    /// # Errors
    /// As for [`judge`](Self::judge), or the second run does not come to the new state.
    pub(crate) fn check(&self, ground: &Ground, answer: Answer) -> Result<Found, String> {
        let found = self.judge(ground, answer)?;
        let again = |error: &dyn std::fmt::Display| format!("a second run failed after {found:?}: {error}");
        if found != Found::New || matches!(self.scenario.act, Act::Load) {
            tidy(ground)?;
            self.scenario.run(&ground.session(&Ticks::at(10)), ground, Entry::Load).map_err(|error| again(&error))?;
        }
        tidy(ground)?;
        let seen = Seen::by(&ground.session(&Ticks::at(10)));
        if seen != self.new {
            return Err(format!("a second run came to {seen:?}, not to {:?}", self.new));
        }
        for project in [None, Some("a"), Some("z")].into_iter().filter(|_| self.scenario.projects[1].is_some()) {
            let seen = Seen::by(&ground.bound_to(project).session(&Ticks::at(10)));
            if seen != self.new {
                return Err(format!("bound to {project:?}, the session sees {seen:?}"));
            }
        }
        self.compare(&tree(ground.root())).map(|()| found)
    }

    /// Whether the files are those of a run without a fault. A `.md` that an interrupted run wrote may be in the archive.
    fn compare(&self, now: &Tree) -> Result<(), String> {
        // A discard goes on where the `.md` cannot be read: its record then keeps the last text that could, and the `.md`
        // goes to the archive all the same.
        let keeps_old_text = |name: &str| {
            self.scenario.name == "copy up by a discard" && name.ends_with("-discarded.json") && now.contains_key(name)
        };
        for (name, bytes) in &self.after {
            if now.get(name) != Some(bytes) && !keeps_old_text(name) {
                return Err(format!("after a second run {name} is not what one run leaves there: {:?}", now.keys()));
            }
        }
        let known: BTreeSet<_> = self.before.values().chain(self.after.values()).collect();
        let is_known = |name: &str, bytes: &Vec<u8>| name.ends_with("-orphan.md") && known.contains(bytes);
        match now.iter().find(|(name, bytes)| !self.after.contains_key(*name) && !is_known(name, bytes)) {
            Some((name, _)) => Err(format!("{name} is left over")),
            None => Ok(()),
        }
    }
}

/// What the next holder of the lock does: removes the leftovers of the dead.
fn tidy(ground: &Ground) -> Result<(), String> {
    match ground.session(&Ticks::at(10)).exclusive().wait() {
        Ok(plan) => drop::<AnyPlan>(plan),
        Err(plangate::Error::Load(error)) if error.code() == "damaged" => {}
        Err(error) => return Err(format!("the next holder of the lock failed: {error}")),
    }
    Ok(())
}

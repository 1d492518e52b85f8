//! Every text of a denial, in one place (GATE-11).

use std::fmt;

use camino::Utf8Path;

use super::{Control, Denial, Policy, ShellRule, Situation, Standing, Target, Twin, Unresolved};
use crate::plan::{Operation, Refusal};

/// Why a call is denied.
#[derive(Debug)]
pub(super) enum Ground<'a> {
    /// The state does not allow the plan operation.
    Refused(Refusal),
    /// The plan operation is a person's alone.
    PersonsAct(Operation),
    /// The state cannot be told.
    Fault,
    /// The same, for a plan operation: the tool gives the load error.
    FaultOfPlan,
    /// A write in PreInit; the call may show no target.
    BeforeInit {
        target: Option<&'a Target>,
    },
    /// A write without a target.
    NoTarget,
    NotTheMarkdown {
        target: &'a Target,
    },
    UnderRoot {
        target: &'a Target,
    },
    Altered {
        target: &'a Target,
    },
    Frozen {
        target: &'a Target,
    },
    Twin {
        target: &'a Target,
        twin: Twin,
    },
    Record {
        target: &'a Target,
    },
    Control {
        target: &'a Target,
        control: Control,
    },
    OtherPlan {
        target: &'a Target,
    },
    Holder {
        target: &'a Target,
    },
    Unresolved {
        target: &'a Target,
        why: Unresolved,
    },
    Unreadable {
        why: &'a str,
    },
    Shell(ShellRule),
    OwnCommand {
        operation: &'static str,
    },
    UnknownTool {
        tool: &'a str,
    },
    Spawn,
    Send,
    Browser,
}

impl Ground<'_> {
    fn code(&self, standing: Standing) -> &'static str {
        match self {
            Self::Refused(refusal) => refusal.code(),
            Self::PersonsAct(_) => "persons-act",
            Self::Fault | Self::FaultOfPlan => standing.as_str(),
            Self::BeforeInit { .. } => "write-before-init",
            Self::NoTarget => "no-target",
            Self::NotTheMarkdown { .. } => "only-the-md",
            Self::UnderRoot { .. } => "under-root",
            Self::Altered { .. } => "md-altered",
            Self::Frozen { .. } => "frozen",
            Self::Twin { twin: Twin::HardLink, .. } => "md-linked",
            Self::Twin { .. } => "md-unclear",
            Self::Record { .. } => "record",
            Self::Control { .. } => "control",
            Self::OtherPlan { .. } => "other-plan",
            Self::Holder { .. } => "holder",
            Self::Unresolved { .. } => "unresolved",
            Self::Unreadable { .. } => "unreadable",
            Self::Shell(_) => "shell",
            Self::OwnCommand { .. } => "own-command",
            Self::UnknownTool { .. } => "unknown-tool",
            Self::Spawn => "spawn",
            Self::Send => "send",
            Self::Browser => "browser",
        }
    }

    fn rule(&self, standing: Standing) -> &'static str {
        let of_the_state = if standing == Standing::PreInit { "GATE-2" } else { "GATE-3" };
        match self {
            Self::Refused(_) => "GATE-17",
            Self::PersonsAct(_) | Self::OwnCommand { .. } => "GATE-14",
            Self::Fault | Self::FaultOfPlan => "GATE-10",
            Self::BeforeInit { .. } => "GATE-2",
            Self::NotTheMarkdown { .. } | Self::Altered { .. } => "GATE-3",
            Self::UnderRoot { .. } | Self::OtherPlan { .. } => "GATE-5",
            Self::Frozen { .. } => "GATE-4",
            Self::Twin { .. } | Self::Unresolved { .. } => "GATE-8",
            Self::Record { .. } => "GATE-6",
            Self::Control { .. } | Self::Holder { .. } => "GATE-13",
            Self::NoTarget | Self::Unreadable { .. } => "GATE-9",
            Self::UnknownTool { .. } => "GATE-7",
            Self::Shell(_) | Self::Spawn | Self::Send | Self::Browser => of_the_state,
        }
    }

    fn reason(&self, situation: &Situation, policy: &Policy) -> String {
        let standing = situation.standing();
        let md = situation.md().unwrap_or(Utf8Path::new("the session .md"));
        match self {
            Self::Refused(refusal) => refusal.to_string(),
            Self::PersonsAct(operation) => format!("{operation} is a person's act and no operation of the plan tool."),
            Self::Fault => {
                format!(
                    "while the state of the plan cannot be told, nothing may change. {}",
                    Sentence(fault(situation))
                )
            }
            Self::FaultOfPlan => fault(situation).to_owned(),
            Self::BeforeInit { target: Some(target) } => {
                format!(
                    "plan mode is on and no plan has begun, so no file may be written, and {} is one.",
                    Shown(target.as_str())
                )
            }
            Self::BeforeInit { target: None } => {
                "plan mode is on and no plan has begun, so no file may be written.".to_owned()
            }
            Self::NoTarget => "the call writes, and it does not show which files.".to_owned(),
            Self::NotTheMarkdown { target } => {
                format!(
                    "until a person approves the design, only {md} may be written, and {} is another file.",
                    Shown(target.as_str())
                )
            }
            Self::UnderRoot { target } => {
                format!("{} is below the root folder, where only {md} may be written.", Shown(target.as_str()))
            }
            Self::Altered { target } => format!(
                "{} is the session .md: its text may be edited, but it may not be removed, moved, linked or given another mode.",
                Shown(target.as_str())
            ),
            Self::Frozen { target } if target.as_str() == md => format!("{md} is frozen while the checklist is live."),
            Self::Frozen { target } => {
                format!("{} leads to {md}, which is frozen while the checklist is live.", Shown(target.as_str()))
            }
            Self::Twin { target, twin } => format!(
                "{} {}",
                Shown(target.as_str()),
                match twin {
                    Twin::HardLink =>
                        "has a second name (a hard link), so that a write would change another file as well.",
                    Twin::Link => "is a link, and what a link leads to can change between two looks.",
                    Twin::NotAFile => "is no regular file.",
                    Twin::Spelling => "may be read as the session .md or as another file.",
                }
            ),
            Self::Record { target } => format!(
                "{} is the record of the plan: only the engine writes it, so that nobody forges an approval.",
                Shown(target.as_str())
            ),
            Self::Control { target, control } => format!(
                "{} is {}, and those do not change while a plan is live.",
                Shown(target.as_str()),
                match control {
                    Control::Bookkeeping => "one of the engine's own files",
                    Control::Archive => "in the archive of ended plans",
                    Control::Policy => "the gate's policy",
                    Control::Settings => "among the settings that install the gate",
                    Control::Guarded => "a part of the gate",
                }
            ),
            Self::OtherPlan { target } => {
                format!("{} belongs to another session's plan.", Shown(target.as_str()))
            }
            Self::Holder { target } => {
                format!(
                    "{} is a folder for files of a plan, or for settings that install the gate.",
                    Shown(target.as_str())
                )
            }
            Self::Unresolved { target, why } => format!("{} {}.", Shown(target.as_str()), Why(*why)),
            Self::Unreadable { why } => format!("the call cannot be understood: {}.", Shown(why)),
            Self::Shell(rule) => shell(*rule, standing, policy),
            Self::OwnCommand { operation } => format!(
                "the command names plangate and {operation}, and that is for a person at a terminal, or for the plan tool, and not for a shell of the agent."
            ),
            Self::UnknownTool { tool } => match policy.broken() {
                None => format!("nobody has said what the tool {} does.", Shown(tool)),
                Some(why) => {
                    format!(
                        "nobody has said what the tool {} does, and the policy file cannot be used: {why}.",
                        Shown(tool)
                    )
                }
            },
            Self::Spawn => "no agents and no teams are started while the plan is not approved.".to_owned(),
            Self::Send => "nothing is sent to others while the plan is not approved.".to_owned(),
            Self::Browser => "nothing is changed through a browser while the plan is not approved.".to_owned(),
        }
    }

    /// One thing to do instead; empty where the reason is the `plan` tool's own text.
    fn next(&self, situation: &Situation) -> String {
        let md = situation.md().unwrap_or(Utf8Path::new("the session .md"));
        let go_on = || match situation.standing() {
            Standing::PreInit => format!("Look around, then call init; the .md will be {md}."),
            Standing::Editing => format!("Write what you intend into {md} and wait for a person to approve it."),
            Standing::NoPlan | Standing::Active { .. } | Standing::Damaged | Standing::Unknown => {
                "Go on with the checklist.".to_owned()
            }
        };
        match self {
            Self::Refused(_) | Self::FaultOfPlan => String::new(),
            Self::PersonsAct(_) | Self::OwnCommand { .. } => "Ask the user to do it.".to_owned(),
            Self::Fault => "Reading, searching, asking the user and plan status go on.".to_owned(),
            Self::Frozen { .. } => "Leave it as it is and work off the checklist.".to_owned(),
            Self::Altered { .. } => format!("Edit the text of {md} in place."),
            Self::Twin { twin: Twin::HardLink, .. } => {
                format!("Ask the user to run: cp -p '{md}' '{md}.copy' && mv '{md}.copy' '{md}'")
            }
            Self::Twin { twin: Twin::NotAFile | Twin::Link, .. } => {
                format!(
                    "Write to {md} by that name; if a link or no regular file stands there, ask the user to remove it."
                )
            }
            Self::Twin { twin: Twin::Spelling, .. } => format!("Write to {md} by that name."),
            Self::Unresolved { .. } | Self::Unreadable { .. } | Self::NoTarget => {
                "Repeat the call with one plain absolute path for each file.".to_owned()
            }
            Self::UnknownTool { .. } => format!(
                "Use a tool that only reads, or ask the user to add this one to read_only_tools in {}.",
                situation.policy_file()
            ),
            Self::Record { .. } => "Change the plan with the plan tool.".to_owned(),
            Self::Control { .. } | Self::OtherPlan { .. } | Self::Holder { .. } => {
                "Leave it, or ask the user to change it once the plan has ended.".to_owned()
            }
            Self::BeforeInit { .. }
            | Self::NotTheMarkdown { .. }
            | Self::UnderRoot { .. }
            | Self::Shell(_)
            | Self::Spawn
            | Self::Send
            | Self::Browser => go_on(),
        }
    }
}

impl Denial {
    /// The denial on this ground.
    pub(super) fn on(ground: &Ground<'_>, situation: &Situation, policy: &Policy) -> Self {
        let standing = situation.standing();
        Self {
            code: ground.code(standing),
            standing,
            rule: ground.rule(standing),
            reason: ground.reason(situation, policy).into(),
            next: ground.next(situation).into(),
        }
    }
}

fn fault(situation: &Situation) -> &str {
    situation.fault().unwrap_or("the state of this session is unknown")
}

fn shell(rule: ShellRule, standing: Standing, policy: &Policy) -> String {
    if let Some(why) = policy.broken() {
        return format!("shell commands do not run while the policy file cannot be used: {why}.");
    }
    match rule {
        ShellRule::Sandbox | ShellRule::ReadOnly => {
            format!("the policy lets shell commands run as \"{}\", and this build has no such profile.", rule.as_str())
        }
        ShellRule::Allow | ShellRule::Deny if standing == Standing::PreInit => {
            "the policy lets no shell command run before a plan is approved.".to_owned()
        }
        ShellRule::Allow | ShellRule::Deny => "no shell command runs while the design is being written.".to_owned(),
    }
}

struct Why(Unresolved);

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Unresolved::NoWay => "leads through a folder that is not there",
            Unresolved::Circle => "leads through links that go in a circle",
            Unresolved::Nul => "has a NUL in it",
            Unresolved::NoFolder => "is relative, and it is not known to which folder",
            Unresolved::NoHome => "is in a home folder that is not known",
            Unresolved::OwnOfAProcess => "leads somewhere else for each process",
            Unresolved::Refused(kind) => return write!(f, "cannot be looked at ({kind})"),
            Unresolved::NotLookedUp => "has not been looked up",
        })
    }
}

/// A text of the agent's: quoted, without control or invisible characters, and bounded.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LIMIT: usize = 200;
        match self.0.char_indices().nth(LIMIT).and_then(|(end, _)| self.0.get(..end)) {
            Some(beginning) => write!(f, "{beginning:?}…"),
            None => write!(f, "{:?}", self.0),
        }
    }
}

/// A text with a capital letter and a full stop.
struct Sentence<'a>(&'a str);

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0.chars();
        if let Some(first) = rest.next() {
            write!(f, "{}{}", first.to_uppercase(), rest.as_str())?;
        }
        if self.0.ends_with('.') { Ok(()) } else { f.write_str(".") }
    }
}

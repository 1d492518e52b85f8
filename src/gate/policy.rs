use super::call::{Act, Target, ToolCall};
use super::command::own_operation;
use super::texts::Ground;
use super::{Denial, Judged, Place, Situation, Standing, Verdict};
use crate::plan::Operation;

/// What a person has decided about the gate, beyond its rules. The default is the lifecycle's own.
///
/// It comes from the person's root folder alone, never from the project, which the agent can write. Nothing in it opens
/// what a rule about files closes, and no permission mode of an agent counts (GATE-16).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub(super) pre_init: ShellRule,
    pub(super) editing: ShellRule,
    pub(super) unknown_tools: UnknownTools,
    pub(super) read_only_tools: Vec<Box<str>>,
    pub(super) broken: Option<Box<str>>,
}

/// What becomes of shell commands in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShellRule {
    /// They run. GATE-14 holds all the same.
    Allow,
    /// They would run in a sandbox. This build has none, so they are denied.
    Sandbox,
    /// They would run if they change nothing. This build cannot tell, so they are denied.
    ReadOnly,
    /// They are denied.
    Deny,
}

impl ShellRule {
    /// Every rule.
    pub const ALL: [Self; 4] = [Self::Allow, Self::Sandbox, Self::ReadOnly, Self::Deny];

    /// The name in the policy file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Sandbox => "sandbox",
            Self::ReadOnly => "read-only",
            Self::Deny => "deny",
        }
    }
}

/// What becomes of tools that nobody knows, in PreInit and Editing (GATE-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnknownTools {
    /// They are denied.
    Deny,
    /// They run.
    Allow,
}

impl UnknownTools {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Deny, Self::Allow];

    /// The name in the policy file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Allow => "allow",
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            pre_init: ShellRule::Allow,
            editing: ShellRule::Deny,
            unknown_tools: UnknownTools::Deny,
            read_only_tools: Vec::new(),
            broken: None,
        }
    }
}

impl Policy {
    /// The strictest policy: what holds while the policy file cannot be used, `why` being the reason.
    pub fn strictest(why: impl Into<Box<str>>) -> Self {
        Self { pre_init: ShellRule::Deny, broken: Some(why.into()), ..Self::default() }
    }

    /// The same policy with another rule for shell commands in PreInit.
    #[must_use]
    pub fn with_shell_in_pre_init(mut self, rule: ShellRule) -> Self {
        self.pre_init = rule;
        self
    }

    /// The same policy with another rule for shell commands in Editing.
    #[must_use]
    pub fn with_shell_in_editing(mut self, rule: ShellRule) -> Self {
        self.editing = rule;
        self
    }

    /// The same policy with another rule for tools that nobody knows.
    #[must_use]
    pub fn with_unknown_tools(mut self, rule: UnknownTools) -> Self {
        self.unknown_tools = rule;
        self
    }

    /// The same policy, and one more tool that only reads. The name is the agent's own, to the letter; it counts for a
    /// tool that nobody knows, and makes no known tool harmless.
    #[must_use]
    pub fn with_read_only_tool(mut self, tool: impl Into<Box<str>>) -> Self {
        self.read_only_tools.push(tool.into());
        self
    }

    /// Why the policy file could not be used, if it could not.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    fn trusts(&self, tool: &str) -> bool {
        self.read_only_tools.iter().any(|known| **known == *tool)
    }
}

/// The decision (GATE-1 to GATE-17): pure, without I/O, and without an allocation unless it is a denial.
///
/// The rules do not depend on who calls: a caller's origin, an agent's permission mode or a saved allowance is no argument.
pub fn decide(situation: &Situation, judged: &Judged<'_>, policy: &Policy) -> Verdict {
    match ground(situation, judged, policy) {
        None => Verdict::Allow,
        Some(ground) => Verdict::Deny(Denial::on(&ground, situation, policy)),
    }
}

/// Why the call must not run; `None` if it may.
fn ground<'a>(situation: &Situation, judged: &'a Judged<'_>, policy: &Policy) -> Option<Ground<'a>> {
    let call = judged.call();
    let act = match &call.act {
        Act::Unknown if policy.trusts(&call.tool) => &Act::Read,
        act => act,
    };
    match situation.standing() {
        Standing::NoPlan => None,
        Standing::PreInit => in_planning(call, act, situation, policy, policy.pre_init, |content, altered| {
            Some(Ground::BeforeInit { target: content.iter().chain(altered).next() })
        }),
        Standing::Editing => in_planning(call, act, situation, policy, policy.editing, |_, _| {
            written(judged, |target, altered, place| match place {
                Place::Markdown if altered => Some(Ground::Altered { target }),
                Place::Markdown => None,
                place => Some(not_the_markdown(target, place)),
            })
        }),
        Standing::Active { .. } => in_active(act, judged, situation),
        Standing::Damaged | Standing::Unknown => in_the_dark(act),
    }
}

/// PreInit and Editing (GATE-2, GATE-3), which differ in writes and in what the policy says of the shell.
fn in_planning<'a>(
    call: &'a ToolCall,
    act: &'a Act,
    situation: &Situation,
    policy: &Policy,
    shell_rule: ShellRule,
    write: impl FnOnce(&'a [Target], &'a [Target]) -> Option<Ground<'a>>,
) -> Option<Ground<'a>> {
    match act {
        Act::Read | Act::Question => None,
        Act::Write { content, altered } => write(content, altered),
        Act::Shell { command } => shell(command.as_deref(), shell_rule),
        Act::Plan(operation) => plan(*operation, situation),
        Act::Spawn => Some(Ground::Spawn),
        Act::Send => Some(Ground::Send),
        Act::Browser => Some(Ground::Browser),
        Act::Unknown => match policy.unknown_tools {
            UnknownTools::Allow => None,
            UnknownTools::Deny => Some(Ground::UnknownTool { tool: &call.tool }),
        },
        Act::Unreadable { why } => Some(Ground::Unreadable { why }),
    }
}

/// Active (GATE-4, GATE-6, GATE-13, GATE-14).
fn in_active<'a>(act: &'a Act, judged: &'a Judged<'_>, situation: &Situation) -> Option<Ground<'a>> {
    match act {
        Act::Read | Act::Question | Act::Spawn | Act::Send | Act::Browser | Act::Unknown => None,
        Act::Write { .. } => written(judged, |target, _, place| match place {
            Place::Elsewhere | Place::Root => None,
            Place::Unresolved(why) if why.is_harmless() => None,
            Place::Markdown | Place::Twin(_) => Some(Ground::Frozen { target }),
            place => Some(not_the_markdown(target, place)),
        }),
        Act::Shell { command } => shell(command.as_deref(), ShellRule::Allow),
        Act::Plan(operation) => plan(*operation, situation),
        Act::Unreadable { why } => Some(Ground::Unreadable { why }),
    }
}

/// Damaged or unknown (GATE-10).
fn in_the_dark(act: &Act) -> Option<Ground<'_>> {
    match act {
        Act::Read | Act::Question | Act::Plan(Operation::View) => None,
        Act::Plan(_) => Some(Ground::FaultOfPlan),
        Act::Write { .. }
        | Act::Shell { .. }
        | Act::Spawn
        | Act::Send
        | Act::Browser
        | Act::Unknown
        | Act::Unreadable { .. } => Some(Ground::Fault),
    }
}

/// A write is as bad as its worst target (GATE-9), and one that shows none is denied.
fn written<'a>(
    judged: &'a Judged<'_>,
    mut ground: impl FnMut(&'a Target, bool, Place) -> Option<Ground<'a>>,
) -> Option<Ground<'a>> {
    let mut targets = judged.targets().peekable();
    if targets.peek().is_none() {
        return Some(Ground::NoTarget);
    }
    targets.find_map(|(target, altered, place)| ground(target, altered, place))
}

fn shell(command: Option<&str>, rule: ShellRule) -> Option<Ground<'_>> {
    if let Some(operation) = command.and_then(own_operation) {
        return Some(Ground::OwnCommand { operation });
    }
    match rule {
        ShellRule::Allow => None,
        rule @ (ShellRule::Sandbox | ShellRule::ReadOnly | ShellRule::Deny) => Some(Ground::Shell(rule)),
    }
}

fn plan(operation: Operation, situation: &Situation) -> Option<Ground<'static>> {
    match situation.refuse(operation) {
        Some(refusal) => Some(Ground::Refused(refusal)),
        None if operation.is_a_persons() => Some(Ground::PersonsAct(operation)),
        None => None,
    }
}

fn not_the_markdown(target: &Target, place: Place) -> Ground<'_> {
    match place {
        Place::Markdown | Place::Elsewhere => Ground::NotTheMarkdown { target },
        Place::Twin(twin) => Ground::Twin { target, twin },
        Place::Record => Ground::Record { target },
        Place::Control(control) => Ground::Control { target, control },
        Place::OtherPlan => Ground::OtherPlan { target },
        Place::Holder => Ground::Holder { target },
        Place::Root => Ground::UnderRoot { target },
        Place::Unresolved(why) => Ground::Unresolved { target, why },
    }
}

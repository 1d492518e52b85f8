use super::{Engine, Session, Work};
use crate::gate::{Judged, POLICY_FILE, Places, Policy, Situation, Surroundings, ToolCall, Verdict, decide};
use crate::plan::StateRef;
use crate::store::{Folder, LoadError, Name, StoreError};

/// The most that a policy file is read of, in bytes.
const POLICY_LIMIT: u64 = 64 * 1024;

impl Session {
    /// What the gate has to know of this session. It never fails: that the state cannot be told is a situation too, and
    /// the strictest one (GATE-10). Takes no lock and changes nothing.
    pub fn situation(&self) -> Work<Situation> {
        let session = self.clone();
        Work::new(move || session.current_situation())
    }

    /// The gate's answer to one call of this session's agent, or of a subagent of it (GATE-15). Takes no lock and changes
    /// nothing (GATE-12).
    ///
    /// ```
    /// use plangate::gate::{Act, Policy, Surroundings, Target, ToolCall};
    /// use plangate::{AnyPlan, Engine, SessionId};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let root = camino::Utf8Path::from_path(folder.path()).unwrap();
    /// let session = Engine::at(root).build()?.session(SessionId::new("a1")?);
    /// let AnyPlan::NoPlan(plan) = session.load().wait()? else { panic!() };
    /// plan.enter().wait()?;
    ///
    /// let act = Act::Write { content: vec![Target::new("src/main.rs")], altered: vec![] };
    /// let call = ToolCall { tool: "write".into(), cwd: root.to_owned(), act };
    /// let verdict = session.judge(&call, &Policy::default(), &Surroundings::default()).wait();
    /// assert_eq!(verdict.denial().map(|denial| denial.rule()), Some("GATE-2"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn judge(&self, call: &ToolCall, policy: &Policy, surroundings: &Surroundings) -> Work<Verdict> {
        let (session, call) = (self.clone(), call.clone());
        let (policy, surroundings) = (policy.clone(), surroundings.clone());
        Work::new(move || {
            let situation = session.current_situation();
            decide(&situation, &Judged::look_up(&call, &situation, &surroundings), &policy)
        })
    }

    fn current_situation(&self) -> Situation {
        match self.read() {
            Ok(found) => situation(found.state.as_ref(), guarded(self, found.state.as_ref())),
            Err(error @ (LoadError::Damaged { .. } | LoadError::Tombstone { .. } | LoadError::Pin { .. })) => {
                Situation::damaged(&error)
            }
            Err(error @ (LoadError::Unknown(_) | LoadError::Unresolved(_))) => Situation::unknown(&error),
        }
    }
}

impl Engine {
    /// The person's policy, from `policy.json` in the root folder; the default where there is none. A file that cannot be
    /// used is the strictest policy, which says why. Takes no lock and changes nothing.
    pub fn policy(&self) -> Work<Policy> {
        let engine = self.clone();
        Work::new(move || {
            let file = engine.root().join(POLICY_FILE);
            let strictest = |why: &dyn std::fmt::Display| Policy::strictest(format!("{file}: {why}"));
            match engine.policy_bytes() {
                Ok(None) => Policy::default(),
                Ok(Some(bytes)) => Policy::parse(&bytes).unwrap_or_else(|error| strictest(&error)),
                Err(error) => Policy::strictest(error.to_string()),
            }
        })
    }

    fn policy_bytes(&self) -> Result<Option<Vec<u8>>, StoreError> {
        match Folder::open(&self.shared().context.disk, self.root())? {
            Some(folder) => folder.read(&Name::new(POLICY_FILE)?, POLICY_LIMIT),
            None => Ok(None),
        }
    }
}

/// What the gate has to know of a state that was read.
pub(super) fn situation(state: StateRef<'_>, places: Places) -> Situation {
    let lacks_tasks = matches!(state, StateRef::Active(active) if active.checklist().is_empty());
    Situation::told(state.name(), lacks_tasks, places)
}

/// Where the files of a session are that the gate guards.
pub(super) fn guarded(session: &Session, state: StateRef<'_>) -> Places {
    let layout = &session.shared().context.layout;
    Places {
        root: layout.root().to_owned(),
        md: state.site().md().to_owned(),
        pin: layout.home().join(format!(".opencrabs_plan_{}.pin", session.id())),
    }
}

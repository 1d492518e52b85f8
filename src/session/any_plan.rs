use std::fmt;
use std::marker::PhantomData;

use super::result::Receipt;
use super::{Error, Notice, Plan, PlanPaths, Reason, Session, TransitionError, Work};
use crate::digest::Digest;
use crate::plan::{
    Active, AnyState, Editing, NoPlan, Operation, PreInit, Refusal, State, StateName, StateRef, Warning,
};
use crate::reminder::reminder;
use crate::store::Snapshot;

/// A plan whose state is known at run time: one variant a state (API-6).
///
/// A `match` on it is exhaustive on purpose: a state that comes to be breaks the callers' compile.
#[derive(Debug)]
#[must_use = "the plan is in here"]
pub enum AnyPlan {
    /// No live plan.
    NoPlan(Plan<NoPlan>),
    /// Plan mode was entered.
    PreInit(Plan<PreInit>),
    /// A design is being written.
    Editing(Plan<Editing>),
    /// A checklist is live.
    Active(Plan<Active>),
}

macro_rules! each {
    ($any:expr, $plan:ident => $answer:expr) => {
        match $any {
            AnyPlan::NoPlan($plan) => $answer,
            AnyPlan::PreInit($plan) => $answer,
            AnyPlan::Editing($plan) => $answer,
            AnyPlan::Active($plan) => $answer,
        }
    };
}

impl AnyPlan {
    pub(super) fn new(session: Session, snapshot: Snapshot, held: Option<Box<super::held::Held>>) -> Self {
        fn plan<S: State>(
            state: S,
            session: Session,
            (revision, pending): (crate::store::Revision, bool),
            held: Option<Box<super::held::Held>>,
        ) -> Plan<S> {
            Plan { state: Box::new(state), session, revision, pending, held, notices: Vec::new() }
        }
        let at = (snapshot.revision, snapshot.pending.is_some());
        match snapshot.state {
            AnyState::NoPlan(state) => Self::NoPlan(plan(state, session, at, held)),
            AnyState::PreInit(state) => Self::PreInit(plan(state, session, at, held)),
            AnyState::Editing(state) => Self::Editing(plan(state, session, at, held)),
            AnyState::Active(state) => Self::Active(plan(state, session, at, held)),
        }
    }

    /// The state, borrowed.
    pub fn state(&self) -> StateRef<'_> {
        each!(self, plan => plan.state.as_any())
    }

    /// The state's name.
    pub fn state_name(&self) -> StateName {
        self.state().name()
    }

    /// How this state answers an operation that it does not allow; `None` if the table allows it.
    pub fn refuse(&self, operation: Operation) -> Option<Refusal> {
        self.state().refuse(operation)
    }

    /// The session that it belongs to.
    pub fn session(&self) -> &Session {
        each!(self, plan => plan.session())
    }

    /// The digest of the record that it was read from; `None` where there is none.
    pub fn revision(&self) -> Option<Digest> {
        each!(self, plan => plan.revision())
    }

    /// What went wrong beside the transition that led here.
    pub fn notices(&self) -> &[Notice] {
        each!(self, plan => plan.notices())
    }

    /// What a person should know about it.
    pub fn warnings(&self) -> Vec<Warning> {
        self.state().warnings()
    }

    /// What the model is told of it after a compaction or a restart; empty without a plan.
    pub fn reminder(&self) -> String {
        reminder(self.state())
    }

    /// Where its files are.
    pub fn paths(&self) -> PlanPaths {
        each!(self, plan => plan.paths())
    }

    /// Releases the lock of a handle from [`Session::exclusive`]; see [`Plan::release`].
    pub fn release(self) -> Work<Self> {
        each!(self, plan => plan.release().map(Self::from))
    }

    /// Enters plan mode; in PreInit nothing is written and nothing is emitted (LIFE-7).
    ///
    /// # Errors
    /// `already-planning` and `plan-is-live`; `headless-design` (LIFE-10).
    pub fn enter(self) -> AnyTransition<Self> {
        match self {
            Self::NoPlan(plan) => plan.enter().map(|done| Ok(done?.into())),
            plan => Work::new(move || match plan.refuse(Operation::Enter) {
                Some(refusal) => Err(Refused(Box::new((Some(plan), refusal.into())))),
                None => Ok(plan),
            }),
        }
    }

    /// Discards the plan; without one there is nothing to discard, and that succeeds without an event (LIFE-9).
    ///
    /// # Errors
    /// None of the lifecycle's; the disk may refuse.
    pub fn discard(self) -> AnyTransition<(Plan<NoPlan>, Option<Receipt>)> {
        fn done<S: State>(
            done: Result<(Plan<NoPlan>, Receipt), TransitionError<S>>,
        ) -> Result<(Plan<NoPlan>, Option<Receipt>), Refused>
        where
            AnyPlan: From<Plan<S>>,
        {
            let (plan, receipt) = done?;
            Ok((plan, Some(receipt)))
        }
        match self {
            Self::NoPlan(plan) => Work::new(move || Ok((plan, None))),
            Self::PreInit(plan) => plan.discard().map(done),
            Self::Editing(plan) => plan.discard().map(done),
            Self::Active(plan) => plan.discard().map(done),
        }
    }
}

/// Work that takes a plan whose state is known at run time to something else, or gives it back with the reason.
pub type AnyTransition<T> = Work<Result<T, Refused>>;

/// A dynamic transition that did not happen: the plan and the reason.
#[derive(Debug)]
pub struct Refused(Box<(Option<AnyPlan>, Reason)>);

impl Refused {
    /// Why it did not happen.
    pub fn reason(&self) -> &Reason {
        &self.0.1
    }

    /// The plan as it was; `None` where it is not known which state will last: load it again.
    pub fn into_plan(self) -> Option<AnyPlan> {
        self.0.0
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.1.fmt(f)
    }
}

impl std::error::Error for Refused {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0.1)
    }
}

impl<S: State> From<TransitionError<S>> for Refused
where
    AnyPlan: From<Plan<S>>,
{
    fn from(error: TransitionError<S>) -> Self {
        let (plan, reason) = error.into_parts();
        Self(Box::new((plan.map(AnyPlan::from), reason)))
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        Self::Transition(refused.0.1)
    }
}

/// A plan was not in the state that was asked for. It is given back.
pub struct WrongState<S: State>(AnyPlan, PhantomData<S>);

impl<S: State> WrongState<S> {
    /// The plan, in the state that it has.
    pub fn into_plan(self) -> AnyPlan {
        self.0
    }
}

impl<S: State> fmt::Debug for WrongState<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WrongState").field(&self.0).finish()
    }
}

impl<S: State> fmt::Display for WrongState<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the plan is in {}, not in {}", self.0.state_name(), S::NAME)
    }
}

impl<S: State> std::error::Error for WrongState<S> {}

macro_rules! convert {
    ($($state:ident)*) => {$(
        impl From<Plan<$state>> for AnyPlan {
            fn from(plan: Plan<$state>) -> Self {
                Self::$state(plan)
            }
        }

        impl TryFrom<AnyPlan> for Plan<$state> {
            type Error = WrongState<$state>;

            fn try_from(plan: AnyPlan) -> Result<Self, Self::Error> {
                match plan {
                    AnyPlan::$state(plan) => Ok(plan),
                    plan => Err(WrongState(plan, PhantomData)),
                }
            }
        }

        impl TryFrom<AnyState> for $state {
            type Error = AnyState;

            fn try_from(state: AnyState) -> Result<Self, AnyState> {
                match state {
                    AnyState::$state(state) => Ok(state),
                    state => Err(state),
                }
            }
        }
    )*};
}

convert!(NoPlan PreInit Editing Active);

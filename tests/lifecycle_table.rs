//! The table of operations is data in the code. This holds the page, the compile-fail cases and the answers at run time
//! against it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use camino::Utf8PathBuf;
use plangate::digest::Digest;
use plangate::model::{Body, TaskDraft, TaskDrafts};
use plangate::plan::{Active, Approval, Brief, Cell, Editing, NoPlan, Operation, PreInit, State, StateName};
use plangate::session::{Refused, WrongState};
use plangate::{AnyPlan, Engine, Plan, Session, SessionId};
use pretty_assertions::assert_eq;

const PAGE: &str = include_str!("../docs/lifecycle.md");

/// The rows of a table of the page, without its two head rows: the cells, trimmed.
fn page_table(name: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let (_, after) = PAGE.split_once(&format!("<!-- table:{name} -->\n")).unwrap();
    let (table, _) = after.split_once("<!-- /table -->").unwrap();
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    let mut rows = table.lines().map(cells);
    let head = rows.next().unwrap();
    (head, rows.skip(1).collect())
}

/// A cell as the page writes it.
fn written(cell: Cell) -> String {
    match cell {
        Cell::Leads(states) => {
            format!("-> {}", states.iter().map(|state| state.as_str()).collect::<Vec<_>>().join(" or "))
        }
        Cell::Stays => "=".into(),
        Cell::Idle => "(=)".into(),
        Cell::Refused(refusal) => format!("`{}`", refusal.code()),
    }
}

fn state(name: &str) -> StateName {
    StateName::ALL.into_iter().find(|state| state.as_str() == name).unwrap_or_else(|| panic!("no state {name}"))
}

fn operation(name: &str) -> Operation {
    Operation::ALL
        .into_iter()
        .find(|operation| operation.as_str() == name)
        .unwrap_or_else(|| panic!("no operation {name}"))
}

fn code(cell: &str) -> &str {
    cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`')).unwrap_or_else(|| panic!("{cell} is no code"))
}

// spec: LIFE-6, LIFE-7, LIFE-8
#[test]
fn the_page_says_what_the_table_says() {
    let (head, rows) = page_table("operations");
    let states = StateName::ALL.map(|state| state.as_str().to_owned());
    assert_eq!(head, [&["operation".to_owned()][..], &states].concat());
    let table = Operation::ALL.map(|operation| {
        let cells = StateName::ALL.map(|state| written(operation.in_state(state)));
        [&[operation.as_str().to_owned()][..], &cells].concat()
    });
    assert_eq!(rows, table);
}

// spec: LIFE-6
#[test]
fn the_diagram_has_every_transition_and_no_other() {
    let (_, after) = PAGE.split_once("stateDiagram-v2\n").unwrap();
    let (diagram, _) = after.split_once("```").unwrap();
    let mut drawn = BTreeSet::new();
    for line in diagram.lines().map(str::trim).filter(|line| !line.starts_with("[*]")) {
        let (from, rest) = line.split_once(" --> ").unwrap();
        let (to, operations) = rest.split_once(": ").unwrap();
        let operations = operations.split_once(" (").map_or(operations, |(operations, _)| operations);
        for name in operations.split(", ") {
            let is_new = drawn.insert((state(from), operation(name).as_str(), state(to)));
            assert!(is_new, "{line}");
        }
    }
    let mut table = BTreeSet::new();
    for operation in Operation::ALL.into_iter().filter(|operation| *operation != Operation::View) {
        for from in StateName::ALL {
            let to = match operation.in_state(from) {
                Cell::Leads(states) => states,
                Cell::Stays | Cell::Idle => &[from][..],
                Cell::Refused(_) => &[],
            };
            table.extend(to.iter().map(|to| (from, operation.as_str(), *to)));
        }
    }
    assert_eq!(drawn, table);
}

#[test]
fn a_condition_is_put_on_legal_cells_alone() {
    let codes = page_codes();
    for row in page_table("conditions").1 {
        let [operations, states, _, refusal] = &row[..] else { panic!("{row:?}") };
        assert!(codes.contains(code(refusal)), "{row:?}: the table of codes lacks it");
        for name in operations.split(", ") {
            let operation = operation(name);
            let legal = |name| matches!(operation.in_state(state(name)), Cell::Stays | Cell::Leads(_));
            assert!(states.split(", ").any(legal), "{row:?}: {name} is refused there anyway");
        }
    }
}

fn page_codes() -> BTreeSet<String> {
    let rows = page_table("codes").1;
    let codes: BTreeSet<_> = rows.iter().map(|row| code(&row[0]).to_owned()).collect();
    assert_eq!(codes.len(), rows.len(), "a code stands twice");
    assert!(rows.iter().all(|row| row.len() == 3 && row.iter().all(|cell| !cell.is_empty())), "{rows:#?}");
    codes
}

/// Every code that the library's `code()` methods can give: the text literals in their bodies.
fn source_codes() -> BTreeSet<String> {
    fn walk(folder: &Path, codes: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, codes);
            } else {
                let text = fs::read_to_string(&path).unwrap();
                for body in text.split("pub const fn code(").skip(1) {
                    let (body, _) = body.split_once("\n    }\n").unwrap();
                    codes.extend(body.split('"').skip(1).step_by(2).map(str::to_owned));
                }
            }
        }
    }
    let mut codes = BTreeSet::new();
    for module in ["model", "plan", "record", "store", "session"] {
        walk(&Path::new("src").join(module), &mut codes);
    }
    codes
}

#[test]
fn every_code_is_on_the_page_and_no_other() {
    let codes = source_codes();
    let is_plain = |code: &String| code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    assert!(codes.len() > 30 && codes.iter().all(is_plain), "{codes:?}");
    assert_eq!(page_codes(), codes);
}

// spec: API-7
#[test]
fn every_cell_of_the_page_that_the_typed_plans_lack_has_a_case_that_does_not_compile() {
    let folders = ["no_plan", "pre_init", "editing", "active"];
    for row in page_table("operations").1 {
        for (folder, cell) in folders.iter().zip(&row[1..]) {
            let path = format!("ui-tests/{folder}/cannot_{}.rs", row[0].replace(' ', "_"));
            let is_legal = cell == "=" || cell.starts_with("-> ");
            assert_eq!(Path::new(&path).exists(), !is_legal, "{path}: the page says {cell}");
        }
    }
}

struct Plans {
    folder: tempfile::TempDir,
}

const OUTLINE: &str = "# Swap the cache\n\n## Context\n- **Problem:** LRU thrashes\n- **Target state:** ARC in place\n\
                       - **Intent:** latency\n\n## Implementation steps\n1. Swap it\n";

/// The states that a plan can be in; an active one with tasks and without.
const STATES: [&str; 5] = ["no-plan", "pre-init", "editing", "active", "active-without-tasks"];

impl Plans {
    /// One session for each of [`STATES`], by that name, through the real store.
    fn lay() -> Self {
        let plans = Self { folder: tempfile::tempdir().unwrap() };
        for name in STATES {
            let AnyPlan::NoPlan(plan) = plans.load(name) else { panic!() };
            let brief = Brief::new("Swap the cache").unwrap();
            match name {
                "no-plan" => {}
                "pre-init" => drop(plan.enter().wait().unwrap()),
                "editing" => drop(plan.init_design(brief).wait().unwrap()),
                "active" => {
                    let tasks = TaskDrafts::new(TaskDraft::new("Swap it", "in cache.rs").unwrap());
                    drop(plan.init_checklist(brief, tasks).wait().unwrap());
                }
                _ => {
                    let plan = plan.init_design(brief).wait().unwrap();
                    let plan = plan.write_markdown(Body::new(OUTLINE).unwrap()).wait().unwrap();
                    let seen = plan.markdown().digest().unwrap();
                    drop(plan.approve(Approval::new("ada", "terminal", seen)).wait().unwrap());
                }
            }
        }
        plans
    }

    fn engine(&self) -> Engine {
        Engine::at(Utf8PathBuf::try_from(self.folder.path().to_path_buf()).unwrap()).build().unwrap()
    }

    fn session(&self, name: &str) -> Session {
        self.engine().session(SessionId::new(name).unwrap())
    }

    fn load(&self, name: &str) -> AnyPlan {
        self.session(name).load().wait().unwrap()
    }

    /// What the disk has of a session.
    fn disk(&self, name: &str) -> (Option<Digest>, Option<Vec<u8>>, usize) {
        let session = self.session(name);
        let view = session.view().wait().unwrap();
        (view.revision(), fs::read(&view.paths().md).ok(), session.archive().wait().unwrap().len())
    }
}

// spec: LIFE-6, LIFE-7, LIFE-8, INIT-6
#[test]
fn a_state_answers_what_it_does_not_allow_by_the_table_and_always_alike() {
    let plans = Plans::lay();
    let mut reached = BTreeSet::new();
    for name in STATES {
        let before = plans.disk(name);
        let plan = plans.load(name);
        reached.insert(plan.state_name());
        for operation in Operation::ALL {
            let refusal = plan.refuse(operation);
            let expected = match operation.in_state(plan.state_name()) {
                Cell::Refused(refusal) => Some(refusal.code()),
                Cell::Leads(_) | Cell::Stays | Cell::Idle => None,
            };
            assert_eq!(refusal.as_ref().map(|refusal| refusal.code()), expected, "{operation}: {name}");
            let text = refusal.map(|refusal| refusal.to_string());
            let again = plans.load(name).refuse(operation).map(|refusal| refusal.to_string());
            assert_eq!(text, again, "{operation}: {name}");
            let text = text.unwrap_or_default();
            assert_eq!(
                text.contains("Discard first"),
                expected == Some("discard-first"),
                "{operation}: {name}: {text}"
            );
        }
        assert_eq!(plans.disk(name), before, "{name}");
    }
    assert_eq!(reached, StateName::ALL.into());
}

#[test]
fn an_active_plan_without_tasks_says_what_is_left_to_do() {
    let plans = Plans::lay();
    let says = |name: &str| plans.load(name).refuse(Operation::Approve).unwrap().to_string();
    assert!(says("active-without-tasks").contains("add_tasks"), "{}", says("active-without-tasks"));
    assert!(!says("active").contains("add_tasks"), "{}", says("active"));
}

/// Does an operation of the dynamic form where the table does not lead anywhere, and checks that it leads nowhere.
fn leads_nowhere(operation: Operation, act: impl Fn(AnyPlan) -> Result<AnyPlan, Refused>) {
    let plans = Plans::lay();
    for name in STATES {
        let before = plans.disk(name);
        let engine = plans.engine();
        let mut events = engine.subscribe();
        let plan = engine.session(SessionId::new(name).unwrap()).load().wait().unwrap();
        let state = plan.state_name();
        let kept = match (operation.in_state(state), act(plan)) {
            (Cell::Idle, Ok(plan)) => plan,
            (Cell::Refused(refusal), Err(refused)) => {
                assert_eq!(refused.reason().code(), refusal.code(), "{operation}: {name}");
                refused.into_plan().unwrap()
            }
            (Cell::Leads(next), Ok(plan)) => {
                assert!(next.contains(&plan.state_name()) && events.try_next().is_some(), "{operation}: {name}");
                continue;
            }
            (cell, answer) => panic!("{operation}: {name}: {cell:?} became {answer:?}"),
        };
        assert_eq!(kept.state(), plans.load(name).state(), "{operation}: {name}");
        assert_eq!(events.try_next(), None, "{operation}: {name}");
        assert_eq!(plans.disk(name), before, "{operation}: {name}");
    }
}

// spec: LIFE-7, API-4
#[test]
fn entering_again_changes_nothing() {
    leads_nowhere(Operation::Enter, |plan| plan.enter().wait());
}

// spec: LIFE-9
#[test]
fn discarding_nothing_changes_nothing() {
    leads_nowhere(Operation::Discard, |plan| Ok(plan.discard().wait()?.0.into()));
}

// spec: API-6
#[test]
fn a_plan_becomes_dynamic_and_typed_again_in_its_own_state_alone() {
    fn tried<S: State>(plan: AnyPlan) -> AnyPlan
    where
        Plan<S>: TryFrom<AnyPlan, Error = WrongState<S>>,
        AnyPlan: From<Plan<S>>,
    {
        let state = plan.state_name();
        let (is_typed, plan) = match Plan::<S>::try_from(plan) {
            Ok(plan) => (true, plan.into()),
            Err(wrong) => (false, wrong.into_plan()),
        };
        assert_eq!((is_typed, plan.state_name()), (state == S::NAME, state));
        plan
    }
    let plans = Plans::lay();
    for name in STATES {
        let plan = tried::<PreInit>(tried::<NoPlan>(plans.load(name)));
        let plan = tried::<Active>(tried::<Editing>(plan));
        assert_eq!(plan.state(), plans.load(name).state());
    }
}

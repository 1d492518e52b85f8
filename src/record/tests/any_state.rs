//! Generated states. The strategies are boxed: as plain values they are larger than a test thread's stack likes.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::*;
use crate::digest::Digest;
use crate::model::{Asked, Checklist, Dependency, Kept, LoadedTask, Origin, TaskId, TaskStatus, TaskType, Timestamp};
use crate::plan::{ApprovalRecord, Background, Ending, EndingHow, Extras, Header, Markdown, PlanId};

fn text() -> BoxedStrategy<Box<str>> {
    prop_oneof!["[ -~]{0,12}", any::<String>(), Just("a\"\\\n\r\t\u{0}\u{1f}\u{7f}é🦀\u{2028}".to_owned())]
        .prop_map(Into::into)
        .boxed()
}

fn texts() -> impl Strategy<Value = Vec<Box<str>>> {
    vec(text(), 0..3)
}

pub(super) fn time() -> impl Strategy<Value = Timestamp> {
    (-62_135_596_800_i64..253_402_207_199, prop_oneof![Just(0), 0..1_000_000_000_i32])
        .prop_map(|(second, nanosecond)| jiff::Timestamp::new(second, nanosecond).unwrap().to_string().parse().unwrap())
}

fn uuid() -> impl Strategy<Value = Uuid> {
    any::<u128>().prop_map(Uuid::from_u128)
}

/// A value that the engine does not know, as a file may have it.
fn value() -> impl Strategy<Value = Box<RawValue>> {
    let fixed = [
        "null",
        "1e400",
        "-0",
        "2.50",
        "18446744073709551617",
        "[]",
        "{ }",
        "[1 ,\n  {\"a\": 1, \"a\": 2}]",
        "\"\\u00e9\\ud83e\\udd80 \\ud800\"",
    ];
    let text = any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap());
    prop_oneof![proptest::sample::select(fixed.to_vec()).prop_map(str::to_owned), text]
        .prop_map(|json| RawValue::from_string(json).unwrap())
}

fn kept() -> BoxedStrategy<Kept> {
    let fields = btree_map(any::<String>().prop_map(|key| format!("x{key}")), value(), 0..4);
    // In an order that is not the alphabet's.
    fields
        .prop_map(|fields| fields.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
        .prop_map(|fields| {
            let mut kept = Kept::default();
            for (key, value) in fields {
                kept.push(&key, &value);
            }
            kept
        })
        .boxed()
}

fn header() -> BoxedStrategy<Header> {
    let approval = (text(), text(), time(), any::<Vec<u8>>(), any::<bool>(), kept()).prop_map(
        |(by, via, at, bytes, guarded, kept)| ApprovalRecord { by, via, at, digest: Digest::of(&bytes), guarded, kept },
    );
    let extras = (
        option::of(approval),
        option::of(proptest::sample::select(&Origin::ALL[..])),
        option::of(prop_oneof![Just(Asked::Person), Just(Asked::Nobody)]),
        option::of(uuid().prop_map(TaskId::from_uuid)),
        option::of(text()),
    )
        .prop_map(|(approval, origin, asked, goal_task, project)| {
            let project_dir = project.map(|path| (*path).into());
            Extras { approval, origin, asked, goal_task, project_dir }
        });
    let background = (text(), texts(), text(), texts()).prop_map(|(context, risks, test_strategy, technical_stack)| {
        Background { context, risks, test_strategy, technical_stack }
    });
    let times = (option::of(time()), option::of(time()), option::of(time()));
    (uuid(), text(), text(), background, times, extras, kept())
        .prop_map(|(id, title, description, background, (created_at, updated_at, approved_at), extras, kept)| Header {
            site: site(),
            id: PlanId::from_uuid(id),
            title,
            description,
            background,
            created_at,
            updated_at,
            approved_at,
            extras,
            kept,
        })
        .boxed()
}

fn status() -> impl Strategy<Value = TaskStatus> {
    prop_oneof![
        Just(TaskStatus::Pending),
        Just(TaskStatus::InProgress),
        Just(TaskStatus::Completed),
        Just(TaskStatus::Skipped),
        Just(TaskStatus::Failed),
        text().prop_map(TaskStatus::Blocked),
    ]
}

/// A task and the order that its file gives it.
fn task_and_order() -> BoxedStrategy<(Task, Option<u64>)> {
    let dependency =
        prop_oneof![(1..9_u64).prop_map(Dependency::Number), (0..6_u128).prop_map(|id| Dependency::Id(small_id(id)))];
    let words = prop_oneof![text().prop_map(|word| TaskType::from_word(&word)), Just(TaskType::Refactor)];
    let history = proptest::sample::select(&["[1e400]", "[{\"a\":\n[]}, 2]"][..])
        .prop_map(|json| RawValue::from_string(json.to_owned()).unwrap());
    (
        (text(), text(), words, vec(dependency, 0..4), 1..=5_u8, texts(), texts()),
        (status(), option::of(text()), option::of(time()), option::of(text()), option::of(history)),
        (any::<u64>(), any::<u64>(), kept(), option::of(1..12_u64)),
    )
        .prop_map(
            |(
                (title, description, task_type, dependencies, complexity, acceptance_criteria, artifacts),
                (status, notes, completed_at, reflection, execution_history),
                (retry_count, max_retries, kept, order),
            )| {
                let task = Task {
                    id: small_id(0),
                    number: 0,
                    title,
                    description,
                    task_type,
                    dependencies,
                    complexity,
                    acceptance_criteria,
                    status,
                    notes,
                    completed_at,
                    execution_history,
                    retry_count,
                    max_retries,
                    artifacts,
                    reflection,
                    kept,
                };
                (task, order)
            },
        )
        .boxed()
}

fn small_id(id: u128) -> TaskId {
    TaskId::from_uuid(Uuid::from_u128(id))
}

fn checklist() -> BoxedStrategy<Checklist> {
    vec(task_and_order(), 0..5)
        .prop_map(|tasks| {
            let with_id = |(id, (task, order))| LoadedTask { task: Task { id: small_id(id), ..task }, order };
            Checklist::from_loaded((0..).zip(tasks).map(with_id).collect()).unwrap()
        })
        .boxed()
}

pub(super) fn live() -> BoxedStrategy<Live> {
    let editing = header().prop_map(|mut header| {
        // Without any text it would be PreInit.
        header.title = format!("T{}", header.title).into();
        Live::Editing(Editing::new(header, Markdown::Missing))
    });
    let active = (header(), checklist())
        .prop_map(|(header, checklist)| Live::Active(Active::new(header, checklist, Markdown::Missing)));
    prop_oneof![header().prop_map(|header| Live::PreInit(PreInit::new(header))), editing, active].boxed()
}

pub(super) fn ending() -> BoxedStrategy<Ending> {
    let how = prop_oneof![Just(EndingHow::Completed), Just(EndingHow::Discarded)];
    (how, time(), text(), kept()).prop_map(|(how, at, archive, kept)| Ending { how, at, archive, kept }).boxed()
}

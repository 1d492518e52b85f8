//! The JSON Schema of the tool's input and output, from Rust types. What it asks for is what it lists; arguments that are
//! accepted and never asked for are not in it (TOOL-3, TOOL-5).

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::Reply;
use super::arguments::ToolOperation;

/// Keep the session's plan. There are two tracks. Design: init with a title alone, write the outline into the .md that the
/// answer names, wait until a person has approved it, then add its steps with add_tasks. Checklist: init with tasks, or
/// with file_path; it is active at once. In both, start a task, do it, complete it, until the last one archives the plan.
#[derive(JsonSchema)]
#[schemars(rename = "plan")]
#[expect(dead_code, reason = "the type describes what is read elsewhere, field by field")]
struct Input {
    /// What to do. add_tasks appends tasks; add_task appends one, its title and description beside the operation; init
    /// begins a plan; start, complete, skip and fail are for a task; status shows the plan.
    #[schemars(schema_with = "operations")]
    operation: ToolOperation,
    /// For init, the plan's title; for add_task, the task's. One line.
    #[schemars(length(min = 1, max = 200))]
    title: Option<String>,
    /// For init, what the plan is for; for add_task, what is to be done.
    #[schemars(length(max = 5000))]
    description: Option<String>,
    /// For init: design or checklist. Without it, tasks mean a checklist, and no tasks mean a design.
    mode: Option<Mode>,
    /// For add_tasks, and for init of a checklist: at least one task.
    tasks: Option<Vec<TaskInput>>,
    /// For init: a file to import instead, such as a Markdown checklist or a JSON plan. Nothing else beside it.
    file_path: Option<String>,
    /// For add_task: what has to hold for the task to be done.
    acceptance_criteria: Option<Vec<String>>,
    /// For add_task: the tasks that have to end before, by number or id.
    dependencies: Option<Vec<TaskArgument>>,
    /// For start, complete, skip and fail: the task, by number or id. Without it, the one in progress, or the next one.
    task: Option<TaskArgument>,
    /// For complete and fail: what came of it.
    #[schemars(length(max = 5000))]
    output: Option<String>,
    /// For skip: why.
    #[schemars(length(max = 5000))]
    reason: Option<String>,
    /// For status: the page of tasks, from 1.
    #[schemars(range(min = 1))]
    page: Option<u32>,
}

/// A task: a title and a description, and if need be what it waits for and when it is done.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the type describes what is read elsewhere, field by field")]
struct TaskInput {
    /// A few words, on one line.
    #[schemars(length(min = 1, max = 200))]
    title: String,
    /// What is to be done.
    #[schemars(length(min = 1, max = 5000))]
    description: String,
    /// What has to hold for it to be done.
    acceptance_criteria: Option<Vec<String>>,
    /// The tasks that have to end before, by number in the whole checklist or by id; tasks of the same call included.
    dependencies: Option<Vec<TaskArgument>>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[expect(dead_code, reason = "the type describes what is read elsewhere")]
enum Mode {
    Design,
    Checklist,
}

/// The operations in the order of the list (TOOL-3).
fn operations(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": ToolOperation::ALL.map(ToolOperation::as_str) })
}

/// A task by its number or its id.
struct TaskArgument;

impl JsonSchema for TaskArgument {
    fn schema_name() -> Cow<'static, str> {
        "TaskArgument".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["integer", "string"] })
    }
}

/// The JSON Schema of the arguments that [`Request::parse`](super::Request::parse) reads, as JSON text.
///
/// It lists what callers are asked for. Arguments of older callers, and those that are kept and never asked for, are read
/// all the same, so it forbids no other.
pub fn input_schema() -> String {
    text_of::<Input>(SchemaSettings::draft2020_12())
}

/// The JSON Schema of a [`Reply`] as it is serialised, as JSON text.
pub fn output_schema() -> String {
    text_of::<Reply>(SchemaSettings::draft2020_12().for_serialize())
}

fn text_of<T: JsonSchema>(settings: SchemaSettings) -> String {
    // Many readers of such schemas know no references.
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    let generator = settings.with_transform(RecursiveTransform(simplify)).into_generator();
    let schema = generator.into_root_schema_for::<T>();
    format!("{:#}", schema.as_value())
}

/// Leaves out `null`, which is nothing to ask for or to expect where a value may be absent, and the widths of Rust's integers.
fn simplify(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    object.remove("format");
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(forms)) = object.get_mut("anyOf") {
        forms.retain(|form| form.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(only)] = forms.as_slice() {
            let only = only.clone();
            object.remove("anyOf");
            // What is said of the field stays before what is said of its type.
            for (key, value) in only {
                object.entry(key).or_insert(value);
            }
        }
    }
}

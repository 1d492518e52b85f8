//! Rule: A checklist without tasks cannot be written down. (API-8)
//! Instead: Begin `TaskDrafts` with a first task, and add others with `and`.

use plangate::model::TaskDrafts;

fn nothing_to_do() -> TaskDrafts {
    TaskDrafts::new() //~ E0061
}

fn main() {}

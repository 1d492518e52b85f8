//! Rule: A plan becomes active by an approval, a checklist or an import, never by being written down as active. (API-3)
//! Instead: Have a person `approve` the `Plan<Editing>`, or call `init_checklist`.

use plangate::Plan;
use plangate::plan::Active;

fn with_another_state(plan: Plan<Active>, state: Box<Active>) -> Plan<Active> {
    Plan { state, ..plan } //~ E0451
}

fn main() {}

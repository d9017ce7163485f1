//! Evidence of a recording of calls: a loop of one's own that asks a database for one thing
//! after the other.

use base::number::grouped;
use tree::views::own_loops::own_loops;

use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;

/// Whether a method sends a statement to a database.
fn is_query(class: &str, name: &str) -> bool {
    name.starts_with("execute")
        && class.split('.').any(|part| part.contains("jdbc") || part == "sql" || part == "r2dbc")
}

/// Loops of one's own with queries below them.
pub fn evidence(program: &Program<'_>) -> Vec<Evidence> {
    let tree = program.tree;
    let is_query: Vec<bool> =
        tree.methods.iter().map(|method| is_query(&method.class, &method.name)).collect();
    let mut all = Vec::new();
    for one in own_loops(tree, &program.owners, &program.places) {
        let names =
            [one.caller, one.callee].map(|method| tree.methods[method as usize].name.clone());
        let [caller, callee] = names;
        let region = program.region(one.callee);
        let mut nodes = region.ranges().iter().cloned().flatten();
        if !nodes.any(|node| is_query[tree.method[node as usize] as usize]) {
            continue;
        }
        let once = 1.0 - 1.0 / one.calls_each.max(1) as f64;
        let saving = (one.cost.min(program.cost(&region)) as f64 * once) as u64;
        all.push(Evidence {
            kind: Kind::QueryInLoop,
            recording: Recording::Calls,
            method: one.caller,
            line: 0,
            node: program.costliest(program.contexts(one.caller)),
            sentence: format!(
                "each call of {caller} calls {callee} {} times, each with a query",
                grouped(one.calls_each)
            ),
            hint: Some("ask for all of them with one query, such as a join or a batch"),
            saving,
            likely: saving / 2,
            region,
            moved: 0,
            sure: Sure::Bound,
            command: vec!["callers".to_owned(), "--depth".to_owned(), "3".to_owned()],
        });
    }
    all
}

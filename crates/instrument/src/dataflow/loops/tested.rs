//! Tests whose loops are judged by themselves, while the program goes on.

use std::sync::atomic::Ordering::Relaxed;

use arena::Arena;
use profile::LiveNames;
use profile::dataflow::{Place, SimilarLoop};
use profile::metadata::Record;
use profile::verdicts::clusters::cluster;
use profile::verdicts::told;

use super::reports;
use super::threads::LoopTables;
use live::thread_trees::ThreadTrees;
use online::loops::findings::LoopInContext;
use online::loops::sections::Section;

impl LoopTables {
    /// A test begins on the thread of this tree, which asks for it itself. The result is
    /// its number, not 0; `None` without room for what the thread does.
    pub fn begin_test(
        &self,
        arena: &Arena,
        trees: &ThreadTrees,
        tree: u32,
        write: &dyn Fn(&Record),
    ) -> Option<u64> {
        if self.thread(tree).is_none() && self.attach(arena, tree) == 0 {
            return None;
        }
        // What the thread did before is none of the test's.
        self.judge(arena, trees, tree, true, write);
        let number = self.last_test.fetch_add(1, Relaxed) + 1;
        self.begin_section(arena, &*self.thread(tree)?, number);
        Some(number)
    }

    /// A test ends on the thread on which it began. The result is what is said of each
    /// loop that read similar values ([`told`]), what wastes most first; `None` if the
    /// thread is in no such test.
    pub fn end_test(
        &self,
        arena: &Arena,
        trees: &ThreadTrees,
        tree: u32,
        number: u64,
        write: &dyn Fn(&Record),
    ) -> Option<Vec<String>> {
        let thread = self.thread(tree)?;
        self.judge(arena, trees, tree, true, write);
        let section = thread.inner.lock().judge.end_section(number)?;
        if section.findings.is_empty() {
            return Some(Vec::new());
        }
        let mut names = self.names.lock();
        // What was written before the damage has its names.
        let _ = names.catch_up(arena);
        Some(self.say(&section, arena, trees, &names))
    }

    fn say(
        &self,
        section: &Section,
        arena: &Arena,
        trees: &ThreadTrees,
        names: &LiveNames,
    ) -> Vec<String> {
        let program = self.program.read();
        let mut found: Vec<LoopInContext> = section.findings.keys().copied().collect();
        found.sort_unstable();
        let loops = found.iter().filter_map(|&one| {
            let instances = section.instances.get(&one).copied().unwrap_or_default();
            let finding = section.findings.get(&one)?;
            let record = reports::record_of(one, instances, finding, &program, (arena, trees))?;
            names.similar_loop(&record)
        });
        let loops: Vec<SimilarLoop> = loops.collect();
        let mut clusters = cluster(&loops);
        clusters.retain(|cluster| !cluster.is_rare());
        let name = |place: &Place| names.name(place);
        let source_file = |place: &Place| names.source_file(place).to_owned();
        clusters.iter().map(|cluster| told::text(cluster, &name, &source_file)).collect()
    }
}

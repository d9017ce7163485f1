//! The ways to bottlenecks, and which of these are one entry.

use crate::common::{method, tree};
use subsume_analysis::search::auto::Bottleneck;
use subsume_analysis::search::call_tree::{Bounds, CallTree};
use subsume_analysis::search::culprits::culprits;
use subsume_analysis::search::interface::ProfileInterface;
use subsume_analysis::search::ways::{Entry, Way, Ways, entries};
use subsume_analysis::subsuming::Thresholds;
use tree::Tree;
use tree::names::pattern::Pattern;
use tree::owners::{Definitions, OwnCode, Owners};
use tree::views::folding::{Extent, Frame};

/// A tree in which `mine.*` is one's own.
fn owned(stacks: &str) -> (Tree, Owners) {
    let mut tree = tree(stacks);
    tree.definitions = Definitions::with_own(&OwnCode::new(Some("mine.*"), None));
    let owners = tree.owners();
    (tree, owners)
}

fn names(tree: &Tree, way: &Way) -> Vec<String> {
    let name = |frame| match frame {
        Frame::Method(method) => tree.methods[method as usize].qualified(),
        Frame::Folded(count) => format!("..{count}"),
    };
    way.stops.iter().map(|stop| name(stop.frame)).collect()
}

#[test]
fn a_sequence_is_shown_by_its_costliest_context_or_by_its_user() {
    let (tree, owners) = owned(
        "mine.A.main;mine.A.run;lib.B.enter;lib.B.b;lib.B.c;lib.B.d;java.lang.String.get 60\n\
         mine.A.main;java.lang.String.get 10\n\
         mine.A.main;mine.A.other;lib.C.c;java.lang.Text.of 30\n\
         mine.A.main;mine.A.many;lib.D.c;java.lang.Text.of 25\n\
         mine.A.main;mine.A.many;lib.E.c;java.lang.Text.of 25\n",
    );
    let ways = Ways::new(&tree, &owners, Extent::Telling);
    let number = |name: &str| method(&tree, name) as u32;
    let get = ways.way(&[number("java.lang.String.get")]);
    let way = ["mine.A.run", "lib.B.enter", "..2", "lib.B.d", "java.lang.String.get"];
    let found = names(&tree, &get);
    assert_eq!((found.first(), found.last()), (Some(&way[0].to_owned()), Some(&way[4].to_owned())));
    assert!(found.contains(&way[1].to_owned()), "where the library is entered: {found:?}");
    assert_eq!((get.contexts, get.user), (2, None));

    // No context of these has half of the cost.
    let of = number("java.lang.Text.of");
    let text = ways.way(&[of]);
    assert_eq!(names(&tree, &text), ["java.lang.Text.of"]);
    let user = text.user.expect("somebody has it done");
    assert_eq!((text.contexts, user.share), (3, 30.0 / 80.0));
    assert_eq!(tree.methods[user.method as usize].qualified(), "lib.C.c", "the nearest");

    let nowhere = ways.way(&[of, of]);
    assert_eq!((nowhere.context, nowhere.contexts, nowhere.stops.len()), (None, 0, 2));
}

/// The entries of bottlenecks with these whole paths: the way, other callers, how many are
/// alike, and the cost of all.
fn entries_of(stacks: &str, paths: &[&str]) -> Vec<(Vec<String>, Vec<String>, usize, i128)> {
    let (tree, owners) = owned(stacks);
    let bounds =
        Bounds { thresholds: Thresholds { height: 0, distance: 0 }, never: Pattern::new("") };
    let profile = &CallTree::new(&tree, bounds);
    let mut covered = 0;
    let bottleneck = |path: &&str| {
        let mut methods = path.split(';').map(|name| method(&tree, name) as u32);
        let first = methods.next().expect("a path has a method");
        let initial = profile.initial_summaries().swap_remove(first as usize);
        let summary = methods.fold(initial, |known, next| profile.extend_bottom(&known, next));
        let added = profile.costs_of(&summary);
        covered += added.cum;
        Bottleneck { summary, added, covered }
    };
    let bottlenecks: Vec<Bottleneck<_>> = paths.iter().map(bottleneck).collect();
    // So small a program that nothing is a piece of anything else.
    let culprits = culprits(&profile, 1, &bottlenecks);
    assert_eq!(culprits.len(), paths.len());
    let entries = entries(&profile, &Ways::new(&tree, &owners, Extent::Telling), culprits);
    assert_eq!(entries.last().map(|last| last.culprit.covered), Some(covered));
    let shown = |entry: &Entry<_>| {
        let callers = entry.callers.iter().map(|&at| tree.methods[at as usize].qualified());
        (names(&tree, &entry.way), callers.collect(), entry.alike, entry.culprit.costs.cum)
    };
    entries.iter().map(shown).collect()
}

#[test]
fn equal_tails_are_one_entry() {
    let [one, two, other] = [
        "mine.A.main;mine.A.one;lib.B.enter;lib.B.work",
        "mine.A.main;mine.A.two;lib.B.enter;lib.B.work",
        "mine.A.main;mine.A.two;lib.C.enter;lib.C.work",
    ];
    let stacks = format!("{one} 40\n{other} 30\n{two} 25\n");
    let found = entries_of(&stacks, &[one, other, two]);
    let way = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let first = way(&["mine.A.one", "lib.B.enter", "lib.B.work"]);
    assert_eq!(found[0], (first, way(&["mine.A.two"]), 0, 65));
    let second = way(&["mine.A.two", "lib.C.enter", "lib.C.work"]);
    assert_eq!(found[1], (second, Vec::new(), 0, 30));
    assert_eq!(found.len(), 2);

    // One method of the JDK is not the same thing everywhere.
    let [one, two] = ["mine.A.main;mine.A.one", "mine.A.main;mine.A.two"]
        .map(|path| format!("{path};java.lang.String.get"));
    let found = entries_of(&format!("{one} 40\n{two} 25\n"), &[&one, &two]);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn ways_that_cannot_be_told_apart_are_one_entry() {
    // Between a and i they take two ways, which are folded.
    let way = |letter: char| {
        let middle: Vec<String> = (0..9).map(|at| format!("lib.B.{letter}{at}")).collect();
        let end = ["i", "j", "k", "l", "m"].map(|name| format!("lib.B.{name}"));
        format!("mine.A.run;lib.B.a;{};{}", middle.join(";"), end.join(";"))
    };
    let [one, other] = ['x', 'y'].map(way);
    let found = entries_of(&format!("{one} 55\n{other} 45\n"), &[&one, &other]);
    let [(frames, callers, alike, cost)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((callers.len(), *alike, *cost), (0, 1, 100), "{frames:?}");
}

//! The ways to bottlenecks, and which of these are one entry.

use crate::common::{method, tree};
use subsume_analysis::search::auto;
use subsume_analysis::search::call_tree::{Bounds, CallTree};
use subsume_analysis::search::culprits::culprits;
use subsume_analysis::search::interface::ProfileInterface;
use subsume_analysis::search::ways::{Entry, Way, Ways, entries};
use subsume_analysis::subsuming::Thresholds;
use tree::Tree;
use tree::names::pattern::Pattern;
use tree::owners::{Definitions, OwnCode, Owners};
use tree::views::places::Frame;

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
    let ways = Ways::new(&tree, &owners);
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

fn found(stacks: &str) -> (Tree, Vec<(Vec<String>, Vec<String>, usize, i128)>) {
    let (tree, owners) = owned(stacks);
    let bounds =
        Bounds { thresholds: Thresholds { height: 0, distance: 0 }, never: Pattern::new("") };
    let profile = &CallTree::new(&tree, bounds);
    let found = auto::search(&profile, &mut |_| ());
    let culprits = culprits(&profile, tree.total(), &found.bottlenecks);
    let ways = Ways::new(&tree, &owners);
    let entries = entries(&profile, &ways, culprits);
    let last = entries.last().map(|entry| entry.culprit.covered);
    assert_eq!(last, found.bottlenecks.last().map(|last| last.covered), "all are in an entry");
    let shown = |entry: &Entry<_>| {
        let callers = entry.callers.iter().map(|&at| tree.methods[at as usize].qualified());
        let costs = profile.total_costs_of(&entry.culprit.pieces);
        assert_eq!(costs, entry.culprit.costs);
        (names(&tree, &entry.way), callers.collect(), entry.alike, costs.cum)
    };
    let shown = entries.iter().map(shown).collect();
    (tree, shown)
}

#[test]
fn equal_tails_are_one_entry() {
    let (_, entries) = found(
        "mine.A.main;mine.A.one;lib.B.enter;lib.B.work 40\n\
         mine.A.main;mine.A.two;lib.B.enter;lib.B.work 30\n\
         mine.A.main;mine.A.two;lib.C.enter;lib.C.work 30\n",
    );
    let merged = &entries[0];
    assert_eq!(merged.0.last().map(String::as_str), Some("lib.B.work"));
    assert_eq!(merged.3, 70, "{entries:?}");
    let names = |entry: &(Vec<String>, Vec<String>, usize, i128)| entry.0.concat();
    let alike = entries.iter().filter(|entry| names(entry).contains("lib.B.work")).count();
    assert_eq!(alike, 1, "{entries:?}");
}

#[test]
fn ways_that_cannot_be_told_apart_are_one_entry() {
    // Between c and h they take two ways, of which neither is shown.
    let way = |middle: &str, cost: u64| {
        let frames: Vec<String> =
            ["a", "b", "c"].iter().map(|name| format!("lib.B.{name}")).collect();
        let end: Vec<String> =
            ["f", "g", "h", "i"].iter().map(|name| format!("lib.B.{name}")).collect();
        format!("mine.A.run;{};{middle};{} {cost}\n", frames.join(";"), end.join(";"))
    };
    let middle = |letter: char| (0..9).map(move |at| format!("lib.B.{letter}{at}"));
    let [one, other] = ['x', 'y'].map(|letter| middle(letter).collect::<Vec<_>>().join(";"));
    let (_, entries) = found(&(way(&one, 55) + &way(&other, 45)));
    let frames: Vec<String> = entries.iter().map(|entry| entry.0.join(" ")).collect();
    let mut told_apart = frames.clone();
    told_apart.dedup();
    assert_eq!(frames, told_apart);
}

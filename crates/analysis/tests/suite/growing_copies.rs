//! Texts and arrays that grow by copying themselves are told by the elements that are moved.

use profile::sampling::Sampling;
use profile::{
    CallSite, ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes, Profile, ThreadTree,
};
use subsume_analysis::diagnosis::copying::{Copied, growing_copies};
use subsume_analysis::diagnosis::diagnose;
use subsume_analysis::diagnosis::evidence::Sure;
use subsume_analysis::diagnosis::kind::Kind;
use subsume_analysis::diagnosis::program::Program;
use tree::Tree;
use tree::forest::{MetricChoice, Selection};
use tree::owners::OwnCode;

/// A context: its method, its parent, the line it is called from, calls and moved elements.
type Context = (&'static str, u32, u16, u64, u64);

/// A recording of these contexts, each with a thousand bytecodes.
fn recording(contexts: &[Context]) -> Profile {
    let mut profile = Profile::default();
    let mut numbers = Vec::new();
    for (name, ..) in contexts {
        let (class, name) = name.rsplit_once('.').expect("it is a class and a name");
        let method = MethodInfo {
            class: ClassId(profile.classes.len() as u32),
            name: name.into(),
            descriptor: "()V".into(),
            access: 0,
            sites: (1..200).map(|line| CallSite { bci: line, line }).collect(),
        };
        numbers.push(profile.methods.len() as u32);
        profile.classes.push(ClassInfo { name: class.into(), ..ClassInfo::default() });
        profile.methods.push(method);
    }
    let of = |value: fn(&Context) -> u64| contexts.iter().map(value).collect::<Vec<u64>>();
    let metric = |name: &str, values: Vec<u64>| Metric { name: name.into(), values };
    profile.nodes = Nodes {
        method: numbers,
        parent: contexts.iter().map(|one| one.1).collect(),
        site: contexts.iter().map(|one| one.2.into()).collect(),
        metrics: vec![
            metric("bytecodes", of(|_| 1_000)),
            metric("calls", of(|one| one.3)),
            metric("moved", of(|one| one.4)),
        ],
    };
    let nodes = 0..contexts.len() as u32;
    profile.threads = vec![ThreadTree { name: "main".into(), threads: 1, nodes }];
    profile
}

/// Shop.main calls Shop.join, which adds to a text in line 7, or makes texts from it, in so many
/// calls and steps; each has this old text and adds this much, on average.
fn joins(calls: u64, steps: u64, old: u64, added: u64) -> Profile {
    recording(&[
        ("Shop.main", NO_PARENT, 0, 1, 0),
        ("Shop.join", 0, 3, calls, 0),
        ("java.lang.StringConcatHelper.simpleConcat", 1, 7, steps, 0),
        ("java.lang.StringConcatHelper.prepend", 2, 8, steps, 0),
        ("java.lang.String.getBytes", 3, 9, steps, added * steps),
        ("java.lang.StringConcatHelper.prepend", 2, 10, steps, 0),
        ("java.lang.String.getBytes", 5, 9, steps, old * steps),
    ])
}

fn found(profile: &Profile) -> Vec<(u16, Copied, u64, Option<u64>)> {
    let copies = growing_copies(profile, &OwnCode::default());
    copies.into_iter().map(|one| (one.line, one.copied, one.steps, one.added)).collect()
}

#[test]
fn a_text_is_known_to_grow_by_what_is_moved() {
    // From nothing to 2,000 bytes in a thousand steps of two.
    let grows = |calls, old| found(&joins(calls, 1_000, old, 2));
    let expected = [(7, Copied::Text, 1_000, Some(2_000))];
    assert_eq!(grows(1, 999), expected);
    // In each of four calls, to 500 bytes.
    assert_eq!(grows(4, 249), expected);
    // One text in four calls, such as in a field.
    assert_eq!(grows(4, 999), expected);
    // The same beginning each time, a short one and a long one.
    assert_eq!(grows(1, 300), []);
    assert_eq!(grows(1, 9_000), []);
    // Few steps in each call, of one text each; and short texts.
    assert_eq!(grows(20, 110), []);
    assert_eq!(found(&joins(10, 1_000, 99, 2)), []);
}

/// Of more than two operands, JDK 17 copies all in one context.
#[test]
fn operands_that_are_not_apart_add_up_all_the_same() {
    let of = |moved| {
        found(&recording(&[
            ("Shop.main", NO_PARENT, 0, 1, 0),
            ("java.lang.StringConcatHelper.newArray", 0, 7, 1_000, 0),
            ("java.lang.StringConcatHelper.prepend", 0, 7, 2_000, 0),
            ("java.lang.String.getBytes", 2, 9, 2_000, moved),
        ]))
    };
    assert_eq!(of(1_500_000), [(7, Copied::Text, 1_000, None)]);
    assert_eq!(of(400_000), []);
}

#[test]
fn a_builder_that_is_made_from_the_old_text_copies_it() {
    let of = |old, new| {
        found(&recording(&[
            ("Shop.main", NO_PARENT, 0, 1, 0),
            ("java.lang.StringBuilder.<init>", 0, 7, 1_000, 0),
            ("java.lang.String.getBytes", 1, 9, 1_000, old),
            ("java.lang.StringBuilder.append", 0, 7, 1_000, 0),
            ("java.lang.String.getBytes", 3, 9, 1_000, 2_000),
            ("java.lang.StringBuilder.toString", 0, 7, 1_000, 0),
            ("java.util.Arrays.copyOfRange", 5, 9, 1_000, new),
        ]))
    };
    assert_eq!(of(999_000, 1_001_000), [(7, Copied::Text, 1_000, Some(2_000))]);
    // What is appended is not the old text.
    assert_eq!(of(4_000, 1_001_000), []);
}

#[test]
fn arrays_that_grow_by_one_element_are_found() {
    let by_copy_of = |steps, moved| {
        found(&recording(&[
            ("Shop.main", NO_PARENT, 0, 1, 0),
            ("java.util.Arrays.copyOf", 0, 7, steps, moved),
        ]))
    };
    assert_eq!(by_copy_of(1_000, 499_500), [(7, Copied::Array, 1_000, None)]);
    // By a factor, and of arrays of one length.
    assert_eq!(by_copy_of(20, 1_000_000), []);
    assert_eq!(by_copy_of(1_000, 2_000_000), []);
    let by_itself = |line: u16| {
        found(&recording(&[
            ("Shop.main", NO_PARENT, 0, 1, 0),
            ("Shop.add", 0, 3, 1, 499_500),
            ("java.lang.System.arraycopy", 1, 7, 1_000, 0),
            ("java.lang.System.arraycopy", 1, line, 9, 0),
        ]))
    };
    // Which of two calls has moved the elements is not known.
    assert_eq!(by_itself(7), [(7, Copied::Array, 1_000 + 9, None)]);
    assert_eq!(by_itself(8), []);
    // A list of the JDK that grows by a factor calls the same method.
    let of_list = found(&recording(&[
        ("Shop.main", NO_PARENT, 0, 1, 0),
        ("java.util.ArrayList.add", 0, 7, 100_000, 0),
        ("java.util.Arrays.copyOf", 1, 9, 1_000, 499_500),
    ]));
    assert_eq!(of_list, []);
}

fn tree(profile: &Profile) -> Tree {
    let selection =
        Selection { metric: MetricChoice::Every, threads: true, ..Selection::default() };
    let mut tree =
        Tree::merge(vec![("calls".to_owned(), profile.clone())], &selection).expect("it is whole");
    tree.choose_metrics(&tree.metric_names());
    tree
}

#[test]
fn the_finding_has_bytecodes_and_elements_apart() {
    let profile = joins(1, 1_000, 999, 2);
    let growing = growing_copies(&profile, &OwnCode::default());
    let tree = tree(&profile);
    let program = Program::new(&tree).with_growing(&growing);
    let found = diagnose(&program, &[]).expect("it needs no other recording");
    let [one] = &found[..] else { panic!("{found:?}") };
    let lead = one.lead();
    assert_eq!((lead.kind, lead.sure, lead.line), (Kind::GrowingCopy, Sure::Estimate, 7));
    assert_eq!(tree.methods[lead.method as usize].name, "join");
    // Five contexts of a thousand bytecodes each; of the bytes, those of the old text.
    assert_eq!((lead.saving, lead.likely, lead.moved), (5_000, 2_500, 999_000));
    let sentence = "each of 1,000 steps copies a text of 999 bytes on average and adds 2, 999,000 \
                    bytes copied in all: so does a text that grows from nothing";
    assert_eq!(lead.sentence, sentence);
}

/// Where elements outnumber bytecodes, samples say more than bytecodes.
#[test]
fn copies_are_ranked_by_time_where_it_is_known() {
    let mut profile = joins(1, 1_000, 999, 2);
    // Nine tenths of the samples are in the copies, and five sevenths of the bytecodes.
    let samples = |samples: [u64; 7]| Metric { name: "time".into(), values: samples.into() };
    profile.run.sampling = Some(Sampling::default());
    profile.nodes.metrics.push(samples([0, 100, 0, 0, 0, 0, 900]));
    let growing = growing_copies(&profile, &OwnCode::default());
    let of = |profile: &Profile| {
        let tree = tree(profile);
        let program = Program::new(&tree).with_growing(&growing);
        let found = diagnose(&program, &[]).expect("it needs no other recording");
        (found[0].saving(), found[0].lead().likely)
    };
    assert_eq!(of(&profile), (5_000, 3_150));
    // Too few samples.
    profile.nodes.metrics.pop();
    profile.nodes.metrics.push(samples([0, 9, 0, 0, 0, 0, 81]));
    assert_eq!(of(&profile), (5_000, 2_500));
}

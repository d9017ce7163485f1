//! Exceptions by the context that makes them.

use profile::{ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes, Profile, ThreadTree};
use subsume_tree::exceptions::{EXCEPTIONS, add, are_known};

/// A program of a thread: parent, class and method of each context, and calls.
fn program(contexts: &[(u32, &str, &str, u64)], superclasses: &[(&str, &str)]) -> Profile {
    let mut profile = Profile::default();
    let mut calls = Vec::new();
    for &(parent, class, name, of_calls) in contexts {
        let superclass = superclasses.iter().find(|(known, _)| *known == class);
        let superclass = superclass.map_or("", |(_, above)| above).to_owned();
        let number = profile.classes.len() as u32;
        profile.classes.push(ClassInfo { name: class.into(), superclass, ..ClassInfo::default() });
        profile.methods.push(MethodInfo::new(ClassId(number), name, "()V"));
        profile.nodes.method.push(number);
        profile.nodes.parent.push(parent);
        profile.nodes.site.push(0);
        calls.push(of_calls);
    }
    let nodes = 0..contexts.len() as u32;
    profile.threads = vec![ThreadTree { name: "main".into(), threads: 1, nodes }];
    profile.nodes.metrics = vec![Metric { name: "calls".into(), values: calls }];
    profile
}

#[test]
fn makers_are_found_above_constructors() {
    let mut profile = program(
        &[
            (NO_PARENT, "app.Main", "main", 1),
            (0, "app.Shop", "sell", 10),
            // new SoldOut(), an exception of the program's.
            (1, "app.SoldOut", "<init>", 7),
            (2, "java.lang.Exception", "<init>", 7),
            (3, "java.lang.Throwable", "<init>", 7),
            // The JVM makes one by itself.
            (1, "java.lang.NullPointerException", "<init>", 2),
            (5, "java.lang.Throwable", "<init>", 2),
            // A constructor that is none of an exception makes one.
            (0, "app.Basket", "<init>", 5),
            (7, "java.lang.Throwable", "<init>", 1),
        ],
        &[
            ("app.SoldOut", "java.lang.Exception"),
            ("java.lang.Exception", "java.lang.Throwable"),
            ("java.lang.NullPointerException", "java.lang.Exception"),
            ("app.Basket", "java.lang.Object"),
        ],
    );
    assert!(are_known(&profile));
    add(&mut profile);
    let found = &profile.nodes.metric(EXCEPTIONS).unwrap().values;
    assert_eq!(found, &[0, 9, 0, 0, 0, 0, 0, 1, 0]);
    // Once is enough.
    let metrics = profile.nodes.metrics.len();
    add(&mut profile);
    assert_eq!(profile.nodes.metrics.len(), metrics);
}

#[test]
fn what_has_no_maker_counts_where_it_is() {
    let mut profile = program(&[(NO_PARENT, "java.lang.Throwable", "<init>", 3)], &[]);
    add(&mut profile);
    assert_eq!(profile.nodes.metric(EXCEPTIONS).unwrap().values, [3]);
    let mut without_calls = Profile { nodes: Nodes::default(), ..profile };
    add(&mut without_calls);
    assert!(without_calls.nodes.metrics.is_empty());
}

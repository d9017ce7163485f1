//! Generated programs, watched instruction by instruction by the agent of
//! `tests/witness`: the JVM itself says what was executed, and rewritten
//! programs are held against that as well.
//!
//! README.md names the environment variables that choose the programs.

use std::fs;

use random_classes::contexts::{Contexts, is_generated};
use random_classes::programs::{Programs, REPEATABLE, Seeds};
use support::{jdks, number, scratch};
use witness::{Counts, Dump, Method, Program, Skipped, Tree, differences};

#[test]
fn the_jvm_executes_what_is_counted() {
    let count = number("SUBSUME_GENERATED_STEPPED", 40);
    let first = number("SUBSUME_GENERATED_SEED", 1);
    for jdk in jdks() {
        let folder = scratch(&format!("stepped-{}", jdk.release));
        let seeds = Seeds { first, count };
        let programs = Programs::generate(jdk, seeds, &folder);
        let program = Program {
            jdk,
            main_class: "generated.Runner",
            class_path: programs.class_path(),
            options: REPEATABLE.map(str::to_owned).to_vec(),
            arguments: programs.arguments()[1..].to_vec(),
            folder: folder.clone(),
        };
        let (profile, dump) = (folder.join("programs.subsume"), folder.join("steps"));
        let recorded = program.recorded(&profile, ",lines=on").expect("the programs end");
        let watched = program.watched(&dump, &[program.main_class]).expect("the programs end");
        assert_eq!(recorded, watched, "seeds from {first} on, {jdk}");

        let profile = profile::read_file(&profile).expect("the profile can be read");
        lines_add_up(&profile);
        let dump = Dump::read(&dump).expect("the witness writes what it saw");
        let skipped = Skipped::of(&profile);
        let is_program = |method: &Method| is_generated(&method.class);
        let stepped = Tree::of_dump(&dump, "main", &skipped).only(is_program);
        let Counts { calls, bytecodes } = stepped.total();
        println!(
            "JDK {}: {} contexts, {calls} calls, {bytecodes} bytecodes",
            jdk.release,
            stepped.contexts.len() - 1
        );
        assert!(stepped.contexts.len() as u64 > count, "the programs execute nothing on {jdk}");

        let recorded = Tree::of_profile(&profile, "main", &skipped).only(is_program);
        let different = differences(&recorded, &stepped);
        for difference in different.iter().take(5) {
            println!("{difference}");
        }
        assert!(different.is_empty(), "{} contexts differ on {jdk}", different.len());

        let counts = folder.join("counts");
        programs.run_counting(&counts);
        let counted = Contexts::of_witness(&counts, |_| false).sum();
        assert_eq!((counted.calls, counted.bytecodes), (calls, bytecodes), "witnesses on {jdk}");
        fs::remove_dir_all(&folder).expect("the files of the run can be removed");
    }
}

/// Demands that the lines of each method have the bytecodes that its contexts have.
fn lines_add_up(profile: &profile::Profile) {
    let sums = |name: &str| {
        let mut sums = vec![0u64; profile.methods.len()];
        let values = &profile.nodes.metric(name).expect("recordings have the metric").values;
        for (&method, value) in profile.nodes.method.iter().zip(values) {
            sums[method as usize] += value;
        }
        sums
    };
    let (calls, bytecodes) = (sums("calls"), sums("bytecodes"));
    let is_program = |method: profile::MethodId| {
        let class = profile.methods[method.0 as usize].class;
        is_generated(&profile.classes[class.0 as usize].name)
    };
    let mut compared = 0;
    for blocks in profile.blocks.iter().filter(|blocks| is_program(blocks.method)) {
        compared += 1;
        let at = blocks.method.0 as usize;
        let lines: u64 = blocks.lines(calls[at]).values().map(|line| line.bytecodes).sum();
        assert_eq!(lines, bytecodes[at], "{}", profile.name(blocks.method));
    }
    assert!(compared > 10);
}

//! `subsume attach` where class loaders are busy: several threads load from one, or one does
//! not answer.

use std::fs;

use support::{Launch, Scratch, jdks, methods};

use crate::attach::{Program, jcmd, said, text};

#[test]
fn classes_that_several_threads_load_from_a_new_loader_get_their_probes() {
    const LOADERS: u64 = 200;
    for jdk in jdks() {
        let scratch = Scratch::new("parallel-loaders");
        let (go, stop) = (scratch.file("go"), scratch.file("stop"));
        let launch = Launch::new(jdk, "ParallelLoaders", scratch.path());
        let launch = launch.argument(go.clone()).argument(stop.clone());
        let mut program = Program::start(launch.argument(LOADERS.to_string()));
        let id = program.id();
        let profile = scratch.file("p.subsume");
        said(&["attach", &id, "-o", text(&profile)]);
        fs::write(go, "").expect("the folder of the test can be written");
        program.until("worked");
        said(&["detach", &id]);
        fs::write(stop, "").expect("the folder of the test can be written");
        program.end();
        let read = profile::read_file(&profile).expect("the profile was written");
        let plain = read.skipped.iter().filter(|skipped| skipped.class.starts_with("ParallelL"));
        assert_eq!(plain.count(), 0, "{jdk}: {:?}", read.skipped);
        for guest in ["First", "Second", "Third", "Fourth"] {
            let class = format!("ParallelLoaders${guest}");
            let found = methods(&profile, &class, &[]);
            assert_eq!(found["twice"]["calls"], LOADERS, "{class} on {jdk}");
        }
    }
}

#[test]
fn a_loader_that_does_not_answer_holds_nobody_up() {
    const GUEST: &str = "LoaderBlocks$Guest";
    for jdk in jdks() {
        let scratch = Scratch::new("loader-blocks");
        let (go, stop) = (scratch.file("go"), scratch.file("stop"));
        let launch = Launch::new(jdk, "LoaderBlocks", scratch.path());
        let mut program = Program::start(launch.argument(go.clone()).argument(stop.clone()));
        let id = program.id();
        let [first, second] = ["first.subsume", "second.subsume"].map(|name| scratch.file(name));
        said(&["attach", &id, "-o", text(&first)]);
        assert!(jcmd(jdk, &id, "Thread.print").contains("LoaderBlocks.main"), "{jdk}");
        said(&["detach", &id]);
        let read = profile::read_file(&first).expect("the profile was written");
        let listed = read.skipped.iter().find(|skipped| skipped.class == GUEST);
        let reason = listed.map(|skipped| skipped.reason.to_string());
        assert!(
            reason.as_ref().is_some_and(|reason| reason.contains("has not answered")),
            "{reason:?}"
        );
        assert!(methods(&first, "LoaderBlocks", &[]).contains_key("step"), "{jdk}");

        said(&["attach", &id, "-o", text(&second)]);
        fs::write(go, "").expect("the folder of the test can be written");
        program.until("released");
        // It is asked by a thread of ours, which goes on when it has answered.
        let dump = scratch.file("dump.subsume");
        let mut asked = 0;
        loop {
            let _ = fs::remove_file(&dump);
            said(&["dump", &id, "-o", text(&dump)]);
            if methods(&dump, GUEST, &[]).contains_key("run") {
                break;
            }
            asked += 1;
            assert!(asked < 200, "{jdk}: its loader has answered");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        fs::write(stop, "").expect("the folder of the test can be written");
        assert_eq!(program.end(), "ends\n", "{jdk}");
        assert!(methods(&second, GUEST, &[]).contains_key("run"), "{jdk}");
    }
}

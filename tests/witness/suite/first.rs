use std::path::PathBuf;
use witness::*;
#[test]
fn adhoc() {
    let main = std::env::var("W_MAIN").unwrap_or("Hello".into());
    let cp = std::env::var("W_CP").unwrap_or("/tmp/w".into());
    let only: Option<u32> = std::env::var("W_JDK").ok().and_then(|j| j.parse().ok());
    for jdk in jdks() {
        if only.is_some_and(|o| o != jdk.release) {
            continue;
        }
        let folder = PathBuf::from(format!("/tmp/w/run{}", jdk.release));
        std::fs::create_dir_all(&folder).unwrap();
        let p = Program {
            jdk,
            main_class: &main,
            class_path: cp.clone().into(),
            options: vec![],
            arguments: vec![],
            folder: folder.clone(),
        };
        let plain = p.plain().unwrap();
        let r = p.recorded(&folder.join("p.subsume")).unwrap();
        let w = p.watched(&folder.join("w.txt")).unwrap();
        println!(
            "== {jdk}: status {:?} {:?} {:?} stdout equal {} {} stderr {:?} {:?}",
            plain.status,
            r.status,
            w.status,
            plain.stdout == r.stdout,
            plain.stdout == w.stdout,
            r.stderr,
            w.stderr
        );
        let profile = profile::read_file(&folder.join("p.subsume")).unwrap();
        let dump = Dump::read(&folder.join("w.txt")).unwrap();
        let skipped = Skipped::of(&profile);
        for t in &dump.threads {
            println!(
                "thread {} nodes {} resyncs {} missed {:?}",
                t.name,
                t.nodes.len(),
                t.resyncs,
                &t.missed[..t.missed.len().min(5)]
            );
        }
        let is_main = |m: &Method| m.class == main && m.name == "main";
        let ours = Tree::of_profile(&profile, "main", &skipped).below(is_main);
        let theirs =
            Tree::of_dump(dump.threads_named("main").next().unwrap(), &skipped).below(is_main);
        println!(
            "ours {} {:?} theirs {} {:?}",
            ours.contexts.len(),
            ours.total(),
            theirs.contexts.len(),
            theirs.total()
        );
        let d = differences(&ours, &theirs);
        println!("{} differences", d.len());
        let n: usize = std::env::var("W_N").ok().and_then(|j| j.parse().ok()).unwrap_or(10);
        for d in d.iter().take(n) {
            println!("{d}");
        }
    }
}

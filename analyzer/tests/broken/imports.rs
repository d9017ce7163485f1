//! Other tools' files, damaged.

use std::fs;
use std::io::Write;

use super::commands::{check, run};
use super::damage::{self, Damaged};
use super::{copies, share_out};
use crate::fixture;
use made_profiles::jfr;
use support::random::Random;

/// A small file of each format.
fn formats() -> Vec<(&'static str, Vec<u8>)> {
    let folder = fixture::directory("seeds");
    let exported = |format: &str| {
        let line = format!("export --format {format} recording.subsume -o seed");
        let output = run(&folder, &line);
        assert!(output.status.success(), "{output:?}");
        fs::read(folder.join("seed")).unwrap()
    };
    let packed = exported("pprof");
    let mut plain = Vec::new();
    flate2::write::GzDecoder::new(&mut plain).write_all(&packed).unwrap();
    let folded = exported("folded --descriptors");
    let mut packed_folded = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed_folded.write_all(&folded).unwrap();
    let jp2 = "{\n a/B.main()V = 1,  @0 [1x5, 10x3] {\n  a/B.c()V = 10,  @4 [10x7]\n }\n}\n";
    let xml = "<?xml version=\"1.0\"?>\n<tree type=\"invocations\">\n<node class=\"a.B\" \
               methodName=\"c\" methodSignature=\"()V\" time=\"9\" count=\"1\">\
               <node class=\"a.B\" methodName=\"&lt;init&gt;\" time=\"7\" count=\"1\"/></node></tree>\n";
    let dump = "2026-11-20 20:00:00\nFull thread dump\n\n\"main\" #1 prio=5\n   \
                java.lang.Thread.State: RUNNABLE\n\tat a.B.c(B.java:1)\n\tat a.B.main(B.java:3)\n\n";
    vec![
        ("folded", folded),
        ("folded", packed_folded.finish().unwrap()),
        ("pprof", packed),
        ("pprof", plain),
        ("otlp", exported("otlp")),
        ("callgrind", exported("callgrind")),
        ("jfr", jfr::recording(true, 2)),
        ("jfr", jfr::recording(false, 1)),
        ("jfr", exported("jfr --samples 100")),
        ("jp2", jp2.into()),
        ("jprofiler", xml.into()),
        ("jstack", dump.into()),
    ]
}

#[test]
fn damaged_files_of_every_format() {
    let folder = fixture::directory("imports");
    let mut random = Random(8);
    for (format, whole) in formats() {
        let mut files = damage::flipped(&whole, copies(240), false, &mut random);
        let lengths = (0..whole.len()).step_by(1 + whole.len() / copies(160) as usize);
        files.extend(lengths.map(|length| Damaged {
            what: format!("the first {length} bytes"),
            bytes: whole[..length].to_vec(),
            is_noticed: length == 0,
        }));
        let refused = import_all(&folder, format, &files);
        assert!(refused > 0, "{format}: everything was taken");
    }
}

#[test]
fn foreign_files_and_what_is_no_file() {
    let folder = fixture::directory("foreign-imports");
    fs::create_dir(folder.join("folder")).unwrap();
    for format in ["folded", "pprof", "otlp", "callgrind", "jfr", "jp2", "jprofiler", "jstack"] {
        let mut files = damage::foreign();
        // Some of them are text as the format has it.
        for file in &mut files {
            file.is_noticed = format != "folded" || file.what != "a line";
        }
        import_all(&folder, format, &files);
        for broken in ["missing", "folder", "/dev/null"] {
            let line = format!("import --from {format} {broken} -o out.subsume");
            check(&run(&folder, &line), false, &line);
        }
    }
}

/// How many of the files were refused. What was taken is a profile.
fn import_all(folder: &std::path::Path, format: &str, files: &[Damaged]) -> usize {
    let refused = std::sync::atomic::AtomicUsize::new(0);
    share_out(files, |file, worker| {
        let (broken, out) = (format!("broken-{worker}"), format!("out-{worker}.subsume"));
        file.write(&folder.join(&broken));
        let output = run(folder, &format!("import --from {format} {broken} -o {out}"));
        let what = format!("{format}, {}", file.what);
        if check(&output, !file.is_noticed, &what) {
            refused.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        } else {
            let metrics = run(folder, &format!("info --json {out}"));
            assert!(metrics.status.success(), "{what}: {metrics:?}");
        }
    });
    refused.into_inner()
}

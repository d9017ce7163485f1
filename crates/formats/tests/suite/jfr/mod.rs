//! Recordings of Flight Recorder: made by hand, made by JDKs, and damaged.

mod witness;
mod written;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use made_profiles::jfr as builder;
use profile::{NO_PARENT, Profile};
use subsume_formats::import;
use support::random::Random;
use tree::error::Result;

/// A file in a directory of this test.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("jfr");
    fs::create_dir_all(&directory).unwrap();
    let path = directory.join(name);
    // Some file systems wait for the disk when a file is written over.
    let _ = fs::remove_file(&path);
    fs::write(&path, bytes).unwrap();
    path
}

fn read(name: &str, bytes: &[u8]) -> Result<Profile> {
    import::jfr::read(&[file(name, bytes)])
}

/// Paths, threads together, with what a metric says of them if it says anything.
fn paths(profile: &Profile, metric: &str) -> BTreeMap<Vec<String>, u64> {
    let mut paths = BTreeMap::new();
    let values = profile.nodes.metric(metric).map_or(&[][..], |metric| &metric.values);
    for (node, &value) in values.iter().enumerate().filter(|(_, value)| **value > 0) {
        let parent =
            |&node: &u32| Some(profile.nodes.parent[node as usize]).filter(|&p| p != NO_PARENT);
        let mut path: Vec<String> = std::iter::successors(Some(node as u32), parent)
            .map(|node| {
                let method = &profile.methods[profile.nodes.method[node as usize] as usize];
                format!("{}.{}", profile.classes[method.class.0 as usize].name, method.name)
            })
            .collect();
        path.reverse();
        *paths.entry(path).or_default() += value;
    }
    paths
}

/// What is expected of a number of chunks made by hand.
fn expected(metric: usize, chunks: u64) -> BTreeMap<Vec<String>, u64> {
    let of_path = |(path, costs): (&[&str], [u64; 2])| {
        (path.iter().map(|&frame| frame.to_owned()).collect(), costs[metric] * chunks)
    };
    builder::EXPECTED.into_iter().map(of_path).filter(|(_, cost)| *cost > 0).collect()
}

#[test]
fn chunks_made_by_hand() {
    for (is_compressed, chunks) in [(true, 1), (false, 1), (true, 3)] {
        let bytes = builder::recording(is_compressed, chunks);
        let profile = read("hand.jfr", &bytes).unwrap();
        for (at, metric) in ["samples", "allocated"].into_iter().enumerate() {
            assert_eq!(paths(&profile, metric), expected(at, chunks as u64), "{metric}");
        }
        let names: Vec<&str> = profile.threads.iter().map(|thread| thread.name.as_str()).collect();
        // One has no name in Java.
        assert_eq!(names, ["main", "GC"]);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&bytes).unwrap();
        let again = read("hand.jfr.gz", &gzip.finish().unwrap()).unwrap();
        assert_eq!(paths(&again, "allocated"), expected(1, chunks as u64));
    }
}

/// Both kinds of events on allocations tell of the same bytes.
#[test]
fn allocations_count_once() {
    let also = builder::Also { has_buffers: true, ..builder::Also::default() };
    let both = builder::recording_with(also);
    let path = file("both.jfr", &both);
    let read = import::jfr::read_noted(&[&path]).unwrap();
    let allocated = paths(&read.profile, "allocated");
    assert_eq!(allocated.values().sum::<u64>(), builder::BUFFER, "{allocated:?}");
    assert!(read.notes.len() == 1 && read.notes[0].contains("left out"), "{:?}", read.notes);
    // What another recording has of the one kind alone stays.
    let other = file("sampled.jfr", &builder::recording(true, 1));
    for files in [[&path, &other], [&other, &path]] {
        let together = import::jfr::read(&files).unwrap();
        let sum: u64 = paths(&together, "allocated").values().sum();
        let alone: u64 = expected(1, 1).values().sum();
        assert_eq!(sum, builder::BUFFER + alone);
    }
}

#[test]
fn events_without_a_stack_count() {
    let also = builder::Also { without_stack: 5, ..builder::Also::default() };
    let path = file("stackless.jfr", &builder::recording_with(also));
    let read = import::jfr::read_noted(&[path]).unwrap();
    let samples = paths(&read.profile, "samples");
    assert_eq!(samples[&vec![".[no stack]".to_owned()]], 5);
    assert_eq!(samples.values().sum::<u64>(), 5 + expected(0, 1).values().sum::<u64>());
    assert!(read.notes[0].starts_with("5 events without a stack"), "{:?}", read.notes);
}

#[test]
fn older_versions() {
    let also = builder::Also { is_old: true, ..builder::Also::default() };
    let old = builder::recording_with(also);
    for (at, metric) in ["samples", "allocated"].into_iter().enumerate() {
        assert_eq!(paths(&read("old.jfr", &old).unwrap(), metric), expected(at, 1));
    }
    for (version, name) in [([0, 9], "0.9"), ([3, 1], "3.1")] {
        let mut other = old.clone();
        (other[5], other[7]) = (version[0], version[1]);
        let error = read("other.jfr", &other).unwrap_err().to_string();
        assert!(error.contains(&format!("version {name}")), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn cuts_are_refused() {
    for is_compressed in [true, false] {
        let whole = builder::recording(is_compressed, 2);
        for length in (0..whole.len()).filter(|&length| length != whole.len() / 2) {
            let error = read("cut.jfr", &whole[..length]).unwrap_err().to_string();
            assert_eq!(error.lines().count(), 1, "{length}: {error}");
        }
    }
}

/// Damage is an error or other samples, never a panic, and never asks for more
/// memory or time than the file is worth.
#[test]
fn flips_do_no_harm() {
    let mut refused = 0;
    for is_compressed in [true, false] {
        let whole = builder::recording(is_compressed, 1);
        let mut damaged = whole.clone();
        for at in 0..whole.len() {
            for mask in [1, 8, 64, 128, 255] {
                damaged[at] = whole[at] ^ mask;
                refused += u32::from(read("flip.jfr", &damaged).is_err());
            }
            damaged[at] = whole[at];
        }
    }
    assert!(refused > 1_000, "{refused} refused");
}

/// Recordings of the JDKs' own Flight Recorder. `SUBSUME_DAMAGE` says how many
/// damaged copies of each are read, too.
#[test]
fn recordings_of_jdks() {
    let copies = std::env::var("SUBSUME_DAMAGE").map_or(50, |text| text.parse().unwrap());
    let mut random = Random(11);
    for bin in bins() {
        let bytes = record(&bin);
        let profile = read("spin.jfr", &bytes).unwrap();
        let samples = paths(&profile, "samples");
        assert_eq!(samples, witness::samples(&bytes));
        let all: u64 = samples.values().sum();
        let in_work = |path: &[String]| {
            let at = |name: &str| path.iter().position(|frame| frame == name);
            at("Spin.main").zip(at("Spin.work")).is_some_and(|(main, work)| main < work)
        };
        let working = samples.iter().filter(|(path, _)| in_work(path));
        let working: u64 = working.map(|(_, count)| count).sum();
        assert!(all > 10 && working * 2 > all, "{working} of {all}");
        assert!(!paths(&profile, "allocated").is_empty());

        let mut damaged = bytes.clone();
        for _ in 0..copies {
            let places: Vec<usize> =
                (0..=random.below(4)).map(|_| random.below(bytes.len() as u64) as usize).collect();
            for &at in &places {
                damaged[at] ^= 1 << random.below(8);
            }
            if let Err(error) = read("damaged.jfr", &damaged) {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
            for at in places {
                damaged[at] = bytes[at];
            }
        }
    }
}

/// Folders of the programs of JDKs.
fn bins() -> Vec<PathBuf> {
    let homes = std::env::var("SUBSUME_JDKS").or_else(|_| std::env::var("JAVA_HOME"));
    match &homes {
        Ok(homes) => homes.split(':').map(|home| Path::new(home).join("bin")).collect(),
        Err(_) => vec![PathBuf::new()],
    }
}

/// A recording of a program that works for three seconds.
fn record(bin: &Path) -> Vec<u8> {
    let source = "public class Spin {\n\
        static long work(int n) { long sum = 0; for (int i = 0; i < n; i++) sum += Long.toString(i).hashCode(); return sum; }\n\
        public static void main(String[] a) { long end = System.nanoTime() + 3_000_000_000L; long s = 0; \
        while (System.nanoTime() < end) s += work(1000); System.out.println(s); } }\n";
    let source = file("Spin.java", source.as_bytes());
    let recording = source.with_file_name("recording.jfr");
    let run = |program: &str| {
        let mut command = Command::new(bin.join(program));
        command.current_dir(source.parent().unwrap());
        command
    };
    let compiled = run("javac").args(["-d", "spin"]).arg(&source).output().unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    let output = run("java")
        .arg(format!("-XX:StartFlightRecording=settings=profile,filename={}", recording.display()))
        .args(["-cp", "spin", "Spin"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    fs::read(recording).unwrap()
}

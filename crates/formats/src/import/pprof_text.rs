//! pprof's older text, as Go still writes it with `debug=1`, and as gperftools and
//! Google's profiler for Java did: a line for each stack, `counts @ addresses`.

use std::collections::HashMap;

use crate::import::frame::NO_STACK;

/// What a text says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// Names of the values.
    pub metrics: Vec<&'static str>,
    /// Frames, the one called last first, and the values.
    pub samples: Vec<(Vec<String>, Vec<i64>)>,
}

/// What the first line begins with, the names of the values, and in which order they
/// stand in a line.
const KINDS: [(&str, &[&str], &[usize]); 7] = [
    (
        "heap profile:",
        &["inuse_objects", "inuse_space", "alloc_objects", "alloc_space"],
        &[0, 1, 2, 3],
    ),
    ("--- heapz", &["inuse_objects", "inuse_space"], &[0, 1]),
    ("goroutine profile:", &["goroutine"], &[0]),
    ("threadcreate profile:", &["threadcreate"], &[0]),
    // The time that was lost comes before how often it was.
    ("--- contention", &["contentions", "delay"], &[1, 0]),
    ("--- mutex", &["contentions", "delay"], &[1, 0]),
    ("block profile:", &["contentions", "delay"], &[1, 0]),
];

/// Whether a file begins as such texts do.
pub fn is_text(bytes: &[u8]) -> bool {
    KINDS.iter().any(|(start, ..)| bytes.starts_with(start.as_bytes()))
}

/// Reads a text; the error is in words.
///
/// # Errors
/// With the number of the first line that is wrong.
pub fn parse(bytes: &[u8]) -> Result<Text, String> {
    let text = String::from_utf8_lossy(bytes);
    let kind = KINDS.iter().find(|(start, ..)| text.starts_with(start));
    let (_, metrics, order) = kind.ok_or("its first line is of no kind that is known")?;
    let names = names(&text);
    let mut samples: Vec<(Vec<String>, Vec<i64>)> = Vec::new();
    // Of the last stack: whether its frames have names below it.
    let mut is_named = false;
    for (number, line) in (1..).zip(text.lines()).skip(1) {
        if let Some(frame) = frame(line) {
            let (frames, _) =
                samples.last_mut().ok_or_else(|| format!("line {number}: a frame of no stack"))?;
            if !std::mem::replace(&mut is_named, true) {
                frames.clear();
            }
            frames.push(frame);
            continue;
        }
        let line = line.trim();
        if line.starts_with("MAPPED_LIBRARIES") {
            break;
        }
        let Some((counts, addresses)) = line.split_once('@').filter(|_| is_counts(line)) else {
            continue;
        };
        let wrong = || format!("line {number}: it has other counts than its kind has");
        let counts = counts.split(|c: char| c.is_whitespace() || ":[]".contains(c));
        let counts = counts.filter(|count| !count.is_empty()).map(str::parse);
        let counts: Vec<i64> = counts.collect::<Result<_, _>>().map_err(|_| wrong())?;
        if counts.len() != metrics.len() {
            return Err(wrong());
        }
        let addresses = addresses.split_whitespace();
        let named = addresses.map(|address| names.get(address).copied().unwrap_or(address));
        let frames: Vec<String> = named.map(str::to_owned).collect();
        samples.push((frames, order.iter().map(|&at| counts[at]).collect()));
        is_named = false;
    }
    for (frames, _) in &mut samples {
        if frames.is_empty() {
            frames.push(NO_STACK.to_owned());
        }
    }
    Ok(Text { metrics: metrics.to_vec(), samples })
}

/// Whether a line begins with a count.
fn is_counts(line: &str) -> bool {
    let digits = line.strip_prefix('-').unwrap_or(line);
    digits.starts_with(|c: char| c.is_ascii_digit()) && !line.starts_with("0x")
}

/// `main.work` of `#`, `0x4a5a`, `main.work+0x3a` and `/src/main.go:12`, with tabs between.
fn frame(line: &str) -> Option<String> {
    let mut parts = line.strip_prefix("#\t")?.split('\t').filter(|part| !part.is_empty());
    let address = parts.next().filter(|address| address.starts_with("0x"))?;
    let name = parts.next().unwrap_or(address);
    let name = name.rsplit_once("+0x").map_or(name, |(name, _)| name);
    Some(name.to_owned())
}

/// Names of addresses, where the text lists them:
/// `0x0000000e com.example.Parser.next (Parser.java:30)`.
fn names(text: &str) -> HashMap<&str, &str> {
    let lines = text.lines().filter_map(|line| line.trim().split_once(char::is_whitespace));
    let lines = lines.filter(|(address, _)| address.starts_with("0x"));
    let name =
        |name: &'_ str| name.trim().rsplit_once(" (").map_or(name.trim().len(), |(n, _)| n.len());
    lines.map(|(address, rest)| (address, &rest.trim()[..name(rest)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Vec<i64>)> {
        let read = parse(text.as_bytes()).unwrap();
        read.samples.into_iter().map(|(frames, values)| (frames.join(" "), values)).collect()
    }

    #[test]
    fn texts_of_go() {
        let heap = "heap profile: 3: 34 [5: 88] @ heap/1048576\n\
                    1: 10 [2: 20] @ 0x4a5b 0x4c3d\n\
                    #\t0x4a5a\tmain.work+0x3a\t\t/src/main.go:12\n\
                    #\t0x4a5a\tmain.main+0x9\t/src/main.go:20\n\n\
                    2: -24 [3: 68] @ 0x1\n\n\
                    # runtime.MemStats\n# Alloc = 5\n";
        assert_eq!(
            read(heap),
            [
                ("main.work main.main".to_owned(), vec![1, 10, 2, 20]),
                ("0x1".to_owned(), vec![2, -24, 3, 68])
            ]
        );
        let goroutines = "goroutine profile: total 3\n2 @ 0x1 0x2\n# labels: {\"a\":\"b\"}\n\
                          #\t0x1\truntime.park+0x1\tx:1\n\n1 @\n#\t0x0\n";
        assert_eq!(
            read(goroutines),
            [("runtime.park".to_owned(), vec![2]), ("0x0".to_owned(), vec![1])]
        );
        let mutex = "--- mutex:\ncycles/second=100\nsampling period=1\n500 3 @ 0x1\n\
                     #\t0x1\tsync.(*Mutex).Unlock+0x2b\tx:1\n";
        assert_eq!(read(mutex), [("sync.(*Mutex).Unlock".to_owned(), vec![3, 500])]);
        assert_eq!(
            read("threadcreate profile: total 8\n8 @\n"),
            [("[no stack]".to_owned(), vec![8])]
        );
    }

    #[test]
    fn texts_of_java() {
        let heap = "--- heapz 1 ---\nformat = java\nresolution = bytes\n   2 1024 @ 0x1 0x0000000e\n\
                    0x1 GC\n  0x0000000e com.example.Parser.next (Parser.java:30)\n";
        assert_eq!(read(heap), [("GC com.example.Parser.next".to_owned(), vec![2, 1024])]);
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (text, says) in [
            ("heap profile: 1\n1 @ 0x1\n", "line 2"),
            ("--- mutex:\n#\t0x1\ta+0x1\n", "no stack"),
            ("nothing", "first line"),
        ] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
        assert!(!is_text(b"\x0a\x04"));
    }
}

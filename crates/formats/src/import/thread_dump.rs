//! Thread dumps of `jcmd PID Thread.dump_to_file`, as text and as JSON. They have
//! virtual threads, which other dumps lack, and until JDK 24 no states of threads.

use std::borrow::Cow;

use serde_json::Value;

/// A thread of a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Thread<'t> {
    /// Its name; virtual threads often have none.
    pub name: Cow<'t, str>,
    /// Such as `RUNNABLE`; empty where the dump does not say.
    pub state: Cow<'t, str>,
    /// Lines of its stack, the innermost frame first.
    pub stack: Vec<Cow<'t, str>>,
}

/// Name and state in `#30 "name" virtual RUNNABLE 2026-11-28T20:39:56Z`; the latter part
/// lacks in older dumps.
pub fn head(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix('#')?;
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(" \"")?;
    // Names may hold quotation marks, what follows them does not.
    let (name, rest) = rest.rsplit_once('"')?;
    let mut words = rest.split_whitespace().filter(|word| *word != "virtual");
    Some((name, words.next().unwrap_or_default()))
}

/// Whether a text looks like the JSON of such a dump.
pub fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// The threads in the JSON of a dump. `None` if it is none.
pub fn threads_of_json(text: &str) -> Option<Vec<Thread<'static>>> {
    let document: Value = serde_json::from_str(text).ok()?;
    let containers = document.get("threadDump")?.get("threadContainers")?.as_array()?;
    let mut threads = Vec::new();
    for thread in containers.iter().filter_map(|container| container.get("threads")?.as_array()) {
        threads.extend(thread.iter().map(|thread| {
            let text = |key| thread.get(key).and_then(Value::as_str).unwrap_or_default();
            let stack = thread.get("stack").and_then(Value::as_array);
            let lines = stack.into_iter().flatten().filter_map(Value::as_str);
            Thread {
                name: text("name").to_owned().into(),
                state: text("state").to_owned().into(),
                stack: lines.map(|line| line.to_owned().into()).collect(),
            }
        }));
    }
    Some(threads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_threads() {
        for (line, expected) in [
            ("#1 \"main\"", Some(("main", ""))),
            ("#24 \"spin-v\" virtual", Some(("spin-v", ""))),
            ("#3 \"main\" TIMED_WAITING 2026-11-28T20:39:56Z", Some(("main", "TIMED_WAITING"))),
            ("#22 \"\" virtual WAITING 2026-11-28T20:39:56Z", Some(("", "WAITING"))),
            ("\"main\" #1 prio=5", None),
            ("# Java", None),
        ] {
            assert_eq!(head(line), expected, "{line}");
        }
    }

    #[test]
    fn threads_in_json() {
        let text = r#"{"threadDump": {"threadContainers": [
            {"container": "<root>", "threads": [
                {"tid": "1", "name": "main", "stack": ["java.base\/java.lang.Thread.sleep0(Native Method)"]},
                {"tid": "2", "virtual": true, "name": "", "state": "RUNNABLE", "stack": []}]}]}}"#;
        let threads = threads_of_json(text).unwrap();
        assert_eq!(threads[0].name, "main");
        assert_eq!(threads[0].stack, ["java.base/java.lang.Thread.sleep0(Native Method)"]);
        assert_eq!((&*threads[1].state, threads[1].stack.len()), ("RUNNABLE", 0));
        assert_eq!(threads_of_json("{\"a\": 1}"), None);
    }
}

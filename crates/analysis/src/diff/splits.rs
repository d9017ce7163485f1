//! Recordings whose contexts differ because the agent's option `split` was another one.

use std::collections::BTreeSet;
use std::fmt;

use profile::{Profile, texts};

/// The option `split` of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Splits {
    /// Its entries.
    asked: BTreeSet<String>,
    /// Those that keep contexts apart in this recording.
    effective: BTreeSet<String>,
}

/// An entry that keeps contexts apart in one recording, and that another one did not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMismatch {
    /// The entry.
    pub split: String,
    /// The recording that has it, by its name.
    pub with: String,
    /// The recording that does not.
    pub without: String,
}

impl Splits {
    /// Those of a recording, with the names of classes that the agent wrote.
    pub fn of(profile: &Profile) -> Self {
        let run = &profile.run;
        // Of merged runs with different options, only methods are known.
        let entries = run.split_entries().chain(run.splits.values().map(String::as_str));
        let asked = entries.map(str::to_owned).collect();
        let effective = profile.methods.iter().filter_map(|method| {
            let (name, Some(_)) = texts::split(&method.name) else { return None };
            let class = profile.classes.get(method.class.0 as usize)?;
            run.splits.get(&format!("{}.{name}{}", class.name, method.descriptor)).cloned()
        });
        let effective = effective.collect();
        Self { asked, effective }
    }
}

/// The entries that not all of these recordings have, with an example of each.
pub fn split_mismatches(recordings: &[(&str, &Splits)]) -> Vec<SplitMismatch> {
    let effective: BTreeSet<&String> =
        recordings.iter().flat_map(|(_, splits)| &splits.effective).collect();
    let mismatch = |split: &String| {
        let with = recordings.iter().find(|(_, splits)| splits.effective.contains(split))?;
        let without = recordings.iter().find(|(_, splits)| !splits.asked.contains(split))?;
        let [with, without] = [with.0, without.0].map(str::to_owned);
        Some(SplitMismatch { split: split.clone(), with, without })
    };
    effective.into_iter().filter_map(mismatch).collect()
}

impl fmt::Display for SplitMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { split, with, without } = self;
        write!(
            f,
            "{with} was recorded with split={split}, {without} without it: methods with a text \
             are compared with methods without one ('subsume merge --redact' removes texts)"
        )
    }
}

#[cfg(test)]
mod tests {
    use profile::{ClassId, ClassInfo, MethodInfo};

    use super::*;

    /// A recording of this option, in which a method has contexts by texts, or none.
    fn splits(options: &str, has_texts: bool) -> Splits {
        let mut profile = Profile::default();
        profile.run.options = options.to_owned();
        profile.classes = vec![ClassInfo { name: "a.B".into(), ..ClassInfo::default() }];
        let method = |name: &str| MethodInfo::new(ClassId(0), name, "()V");
        profile.methods = vec![method("c")];
        if has_texts {
            profile.run.splits.insert("a.B.c()V".into(), "jdbc".into());
            profile.methods.push(method("c: x"));
        }
        Splits::of(&profile)
    }

    #[test]
    fn what_one_recording_splits_all_must_have_asked_for() {
        let with = splits("mode=calls,split=jdbc;files", true);
        let without = splits("mode=calls", false);
        let found = split_mismatches(&[("old", &without), ("new", &with)]);
        assert_eq!(
            found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["new was recorded with split=jdbc, old without it: methods with a text are compared \
              with methods without one ('subsume merge --redact' removes texts)"]
        );
        assert_eq!(split_mismatches(&[("old", &with), ("new", &without)])[0].with, "old");
        // The old program executed no statement.
        let idle = splits("split=jdbc", false);
        assert_eq!(split_mismatches(&[("old", &idle), ("new", &with)]), []);
        assert_eq!(split_mismatches(&[("old", &idle), ("new", &without)]), []);
        // Runs with different options were merged.
        let merged = splits("", true);
        assert_eq!(split_mismatches(&[("old", &merged), ("new", &with)]), []);
    }
}

//! Methods whose contexts differ by the text of an argument (the agent's option `split`).

use std::collections::BTreeMap;

use base::number::counted;
use profile::{Profile, texts};
use serde::Serialize;

/// An entry of the option, and what it led to.
#[derive(Debug, Serialize, PartialEq, Eq)]
pub struct Split {
    /// The entry.
    split: String,
    /// The methods that it names.
    methods: Vec<SplitMethod>,
}

/// A method that is split.
#[derive(Debug, Serialize, PartialEq, Eq)]
struct SplitMethod {
    /// Class, name and descriptor.
    method: String,
    /// Texts with contexts of their own.
    texts: usize,
    /// Whether there were more.
    others: bool,
}

impl Split {
    /// What the options of a profile asked for; empty if they have no such entry.
    pub fn all(profile: &Profile) -> Vec<Self> {
        let run = &profile.run;
        let mut all: BTreeMap<&str, Vec<SplitMethod>> =
            run.split_entries().map(|entry| (entry, Vec::new())).collect();
        let mut known: BTreeMap<&str, (usize, bool)> =
            run.splits.keys().map(|method| (method.as_str(), (0, false))).collect();
        for info in &profile.methods {
            let (name, Some(text)) = texts::split(&info.name) else { continue };
            let Some(class) = profile.classes.get(info.class.0 as usize) else { continue };
            let method = format!("{}.{name}{}", class.name, info.descriptor);
            if let Some((texts, others)) = known.get_mut(method.as_str()) {
                match text {
                    texts::OTHERS => *others = true,
                    _ => *texts += 1,
                }
            }
        }
        for (method, said) in &run.splits {
            let (texts, others) = known.get(method.as_str()).copied().unwrap_or_default();
            let method = SplitMethod { method: method.clone(), texts, others };
            all.entry(said).or_default().push(method);
        }
        let named = |(split, methods): (&str, _)| Self { split: split.to_owned(), methods };
        all.into_iter().map(named).collect()
    }

    /// The same in words.
    pub fn text(&self) -> String {
        let texts: usize = self.methods.iter().map(|method| method.texts).sum();
        let methods = counted(self.methods.len() as u64, "method");
        let more = self.methods.iter().filter(|method| method.others).count();
        let more = match more {
            0 => String::new(),
            more => format!("; {} had more (split-texts)", counted(more as u64, "method")),
        };
        match self.methods.len() {
            0 => format!("{}: no method that was loaded", self.split),
            _ => format!("{}: {methods}, {}{more}", self.split, counted(texts as u64, "text")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profile::{ClassId, ClassInfo, MethodInfo, RunInfo};

    #[test]
    fn texts_are_counted_by_entry() {
        let method = |name: &str| MethodInfo::new(ClassId(0), name, "(LA;)V");
        let mut run =
            RunInfo { options: "split=a.B.c(1);jdbc,mode=calls".into(), ..Default::default() };
        run.splits.insert("a.B.c(LA;)V".into(), "a.B.c(1)".into());
        run.splits.insert("a.B.d(LA;)V".into(), "a.B.c(1)".into());
        let names = ["c", "c: x", "c: y: z", "c: (other texts)", "e: no"];
        let profile = Profile {
            run,
            classes: vec![ClassInfo { name: "a.B".into(), ..ClassInfo::default() }],
            methods: names.map(method).to_vec(),
            ..Profile::default()
        };
        let found: Vec<String> = Split::all(&profile).iter().map(Split::text).collect();
        assert_eq!(
            found,
            [
                "a.B.c(1): 2 methods, 2 texts; 1 method had more (split-texts)",
                "jdbc: no method that was loaded"
            ]
        );
        assert_eq!(Split::all(&Profile::default()), []);
    }
}

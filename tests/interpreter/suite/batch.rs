//! Programs that run in one JVM, one after the other: most of the time that a program
//! takes goes into starting the JVM.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs};

use support::number;

/// Random programs, unless other numbers are asked for.
const RANDOM: u64 = 20;

/// Random programs that run in one JVM.
const RANDOM_TOGETHER: u64 = 20;

/// Programs written for the rules that do.
const WRITTEN_TOGETHER: usize = 12;

/// Some programs, and the one that runs them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Its class.
    pub name: String,
    programs: Vec<String>,
}

impl Batch {
    /// The source of what runs them; `None` for a program that needs no other.
    pub fn source(&self) -> Option<String> {
        let name = &self.name;
        if self.programs == [name.clone()] {
            return None;
        }
        let calls = self.programs.iter().map(|program| format!("        {program}.main(args);\n"));
        let calls: String = calls.collect();
        // What links the methods of records boxes numbers, and the rules' machine does not.
        let boxes = "        Long.valueOf(0);\n";
        Some(format!(
            "class {name} {{\n    public static void main(String[] args) throws Throwable \
             {{\n{boxes}{calls}    }}\n}}\n"
        ))
    }
}

/// The random programs: `SUBSUME_RULES_RANDOM` says how many, `SUBSUME_RULES_SEED`
/// the first one, `SUBSUME_RULES_TOGETHER` how many run in one JVM.
pub fn random() -> Vec<Batch> {
    let seeds = seeds();
    let together = number("SUBSUME_RULES_TOGETHER", RANDOM_TOGETHER).max(1);
    let firsts = seeds.clone().step_by(together as usize);
    let batch = |first: u64| {
        let seeds = first..seeds.end.min(first + together);
        Batch {
            name: format!("Batch{first}to{}", seeds.end - 1),
            programs: seeds.map(|seed| format!("R{seed}")).collect(),
        }
    };
    firsts.map(batch).collect()
}

/// Seeds of the random programs.
pub fn seeds() -> Range<u64> {
    let first = number("SUBSUME_RULES_SEED", 1);
    first..first + number("SUBSUME_RULES_RANDOM", RANDOM)
}

/// The programs written for the rules; each for itself if `SUBSUME_RULES` says which.
pub fn written() -> Vec<Batch> {
    let programs = programs();
    let alone = env::var_os("SUBSUME_RULES").is_some();
    programs
        .chunks(if alone { 1 } else { WRITTEN_TOGETHER })
        .map(|chunk| match chunk {
            [program] => Batch { name: program.clone(), programs: chunk.to_vec() },
            _ => Batch { name: format!("From{}", chunk[0]), programs: chunk.to_vec() },
        })
        .collect()
}

/// Names of all programs, or of the one that `SUBSUME_RULES` names if that is
/// not `all`.
pub fn programs() -> Vec<String> {
    let only = env::var("SUBSUME_RULES").ok().filter(|only| only != "all");
    let files = fs::read_dir(sources()).expect("the programs are there");
    let mut names: Vec<String> = files
        .map(|file| file.expect("a folder can be listed").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| only.as_ref().is_none_or(|only| only == name))
        .collect();
    names.sort();
    names
}

/// Where they are.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

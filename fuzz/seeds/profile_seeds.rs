//! Writes the first inputs of the fuzz target `profile`: small profiles in
//! both forms, from the generators that the tests of the crate use.
//!
//! usage: profile-seeds FOLDER

use std::path::PathBuf;
use std::{env, fs, io};

use made_profiles::live::live_from;
use made_profiles::random::{Shape, random_profile};
use profile::metadata::Record;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).expect("the folder is the argument"));
    fs::create_dir_all(&folder)?;
    for (seed, contexts) in [(1, 1), (2, 5), (3, 60)] {
        let shape = Shape { contexts, methods: 6, threads: 2.min(contexts), depth: 9 };
        let mut compact = Vec::new();
        let mut profile = random_profile(seed, &shape);
        profile::write(&profile, &mut compact).expect("memory takes everything");
        fs::write(folder.join(format!("compact-{contexts}")), compact)?;

        let mut live = live_from(&mut profile);
        fs::write(folder.join(format!("live-cut-short-{contexts}")), live.bytes())?;
        live.record(&Record::End { reason: "exit".into(), end_millis: 1 });
        fs::write(folder.join(format!("live-{contexts}")), live.bytes())?;
    }
    Ok(())
}

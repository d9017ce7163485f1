//! Writes the first inputs of the targets for other tools' files, one folder
//! for each format: `import-seeds FOLDER`.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use formats::export::folded::Stacks;
use formats::export::{callgrind, jfr as recordings, otlp, pprof};
use formats::import;
use made_profiles::jfr;
use tree::Tree;
use tree::forest::Selection;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).expect("usage: import-seeds FOLDER"));
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/imports");
    for entry in fs::read_dir(here)? {
        let path = entry?.path();
        let format = path.extension().and_then(|format| format.to_str()).unwrap_or_default();
        write(&folder, format, "written", &fs::read(&path)?)?;
    }
    write(&folder, "jfr", "compressed", &jfr::recording(true, 2))?;
    write(&folder, "jfr", "plain", &jfr::recording(false, 1))?;

    let mut stacks: &[u8] = b"a.B.main;a.B.c 5\na.B.main;a.B.d;a.B.c 2\na.B.main 1\n";
    let mut importer = import::folded::Importer::default();
    importer.read(Path::new("seed"), &mut stacks).expect("these are folded stacks");
    let profiles = vec![("seed".to_owned(), importer.finish())];
    let tree = Tree::merge(profiles, &Selection::default()).expect("their costs add up");
    let mut exported = Vec::new();
    pprof::write(&tree, &Stacks::default(), &mut exported).expect("memory takes everything");
    write(&folder, "pprof", "packed", &exported)?;
    // Nearly all mutations of a packed file are refused by its checksum.
    let plain = import::input::read_all(&folder.join("pprof/packed")).expect("it was written");
    write(&folder, "pprof", "plain", &plain)?;
    exported.clear();
    otlp::write(&tree, &Stacks::default(), &[], &mut exported).expect("memory takes everything");
    write(&folder, "otlp", "exported", &exported)?;
    exported.clear();
    recordings::write(&tree, &Stacks::default(), &recordings::Run::default(), 8, &mut exported)
        .expect("memory takes everything");
    write(&folder, "jfr", "exported", &exported)?;
    exported.clear();
    callgrind::write(&tree, &mut exported).expect("memory takes everything");
    write(&folder, "callgrind", "exported", &exported)
}

fn write(folder: &Path, format: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = folder.join(format);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}

//! Where class files come from: the program's folder and the JDK.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Jdk, compile};

/// The classes that a program can name.
#[derive(Debug)]
pub struct ClassPath {
    program: PathBuf,
    jdk: HashMap<Box<[u8]>, &'static [u8]>,
}

impl ClassPath {
    /// The program's class files in `program`, and `java.base` of the JDK, which
    /// is packed into a file in `scratch` once.
    ///
    /// # Errors
    /// The JDK does not run, or a file cannot be read.
    pub fn new(program: &Path, jdk: &Jdk, scratch: &Path) -> Result<Self, String> {
        Ok(Self { program: program.to_path_buf(), jdk: read_pack(&pack(jdk, scratch)?)? })
    }

    /// The bytes of a class by its internal name, and whether it is one of the
    /// program's own.
    ///
    /// They live as long as the test does: an interpreted class is never
    /// unloaded.
    pub fn find(&self, name: &str) -> Option<(&'static [u8], bool)> {
        if let Ok(bytes) = fs::read(self.program.join(format!("{name}.class"))) {
            return Some((bytes.leak(), true));
        }
        self.jdk.get(name.as_bytes()).map(|&bytes| (bytes, false))
    }
}

/// The file with the JDK's classes.
fn pack(jdk: &Jdk, scratch: &Path) -> Result<PathBuf, String> {
    let say = |what: &Path, error: std::io::Error| format!("{}: {error}", what.display());
    let java = jdk.command("java");
    let home = java.ancestors().nth(2).unwrap_or(Path::new("/"));
    let release = home.join("release");
    let description = fs::read_to_string(&release).map_err(|error| say(&release, error))?;
    let version = description
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_RUNTIME_VERSION="))
        .or_else(|| description.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=")))
        .unwrap_or_default();
    let version: String = version.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let pack = scratch.join(format!("java.base-{version}.pack"));
    if pack.exists() {
        return Ok(pack);
    }
    fs::create_dir_all(scratch).map_err(|error| say(scratch, error))?;
    // Renamed when complete, since tests may run at the same time.
    let partial = pack.with_extension(format!("{}", std::process::id()));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("java/PackImage.java");
    let classes = partial.with_extension("classes");
    compile(&[source], &[], &classes);
    let status = Command::new(java)
        .arg("-cp")
        .arg(&classes)
        .arg("PackImage")
        .arg(&partial)
        .status()
        .map_err(|error| format!("java does not start: {error}"))?;
    if !status.success() {
        return Err(format!("{jdk}: PackImage ended with {status}"));
    }
    fs::rename(&partial, &pack).map_err(|error| say(&partial, error))?;
    Ok(pack)
}

fn read_pack(path: &Path) -> Result<HashMap<Box<[u8]>, &'static [u8]>, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut rest: &'static [u8] = bytes.leak();
    let mut classes = HashMap::new();
    while !rest.is_empty() {
        let entry = read_entry(&mut rest);
        let (name, class) = entry.ok_or_else(|| format!("{} is cut off", path.display()))?;
        classes.insert(name.into(), class);
    }
    Ok(classes)
}

fn read_entry(rest: &mut &'static [u8]) -> Option<(&'static [u8], &'static [u8])> {
    let name_length = u16::from_be_bytes(*take(rest, 2)?.first_chunk()?);
    let name = take(rest, usize::from(name_length))?;
    let length = u32::from_be_bytes(*take(rest, 4)?.first_chunk()?);
    Some((name, take(rest, length as usize)?))
}

fn take(rest: &mut &'static [u8], length: usize) -> Option<&'static [u8]> {
    let (taken, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some(taken)
}

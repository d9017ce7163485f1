//! Files with names that everybody knows, in a folder that everybody may write into.
//!
//! The agent, the command and HotSpot find each other by the process id in names in `/tmp`.
//! Anybody can be there first: another user, or a process of the same id in a container that
//! shares the folder. So nothing counts by its name alone.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};

/// HotSpot looks nowhere else, whatever `java.io.tmpdir` says.
pub const FOLDER: &str = "/tmp";
/// What names of the agent begin with.
pub const PREFIX: &str = ".subsume-";
/// How many sockets of one name there may be.
const SOCKETS: u32 = 16;

/// Where the agent of a process may wait for commands: at the first of these names that
/// nobody else has.
pub fn sockets(process: u32) -> impl Iterator<Item = String> {
    (1..=SOCKETS).map(move |number| match number {
        1 => format!("{PREFIX}{process}"),
        _ => format!("{PREFIX}{process}.{number}"),
    })
}

/// The file into which the agent writes why it does not work.
pub fn refusal(process: u32) -> String {
    format!("{PREFIX}{process}.refusal")
}

/// The socket at which HotSpot serves requests.
pub fn attach_socket(process: u32) -> String {
    format!(".java_pid{process}")
}

/// Whether a socket of this user is at a path; false if nothing is.
///
/// # Errors
/// If something else is there.
pub fn is_socket_of(path: &Path, user: u32) -> io::Result<bool> {
    Ok(socket_of(path, user)?.is_some())
}

/// True if a socket of this user is there that nobody else may open, as HotSpot's own client
/// demands.
///
/// # Errors
/// If something else is there.
pub fn is_private_socket(path: &Path, user: u32) -> io::Result<bool> {
    match socket_of(path, user)? {
        Some(found) if found.mode() & 0o066 != 0 => Err(not_own(path)),
        found => Ok(found.is_some()),
    }
}

fn socket_of(path: &Path, user: u32) -> io::Result<Option<fs::Metadata>> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found?,
    };
    let is_own = found.file_type().is_socket() && is_user_or_root(found.uid(), user);
    if is_own { Ok(Some(found)) } else { Err(not_own(path)) }
}

/// What is at this path was put there by somebody else.
#[cold]
pub fn not_own(path: &Path) -> io::Error {
    let path = crate::shown(path);
    io::Error::other(format!("{path} is not its own, but another user's or another process's"))
}

/// The file `.attach_pidPID`. While it is there, HotSpot takes `SIGQUIT` for the wish that it
/// serves requests; otherwise it prints all stacks into the program's output. It goes away
/// with this value.
#[derive(Debug)]
pub struct Trigger(PathBuf);

impl Trigger {
    /// Makes the file for a process of this user, in its folder for such files. HotSpot looks
    /// into its `working` folder first.
    ///
    /// # Errors
    /// If HotSpot would look at a file there that is another user's, or none can be made.
    pub fn make(folder: &Path, working: &Path, process: u32, user: u32) -> io::Result<Self> {
        let name = format!(".attach_pid{process}");
        let seen_first = working.join(&name);
        // As HotSpot does, which follows links.
        if fs::metadata(&seen_first).is_ok_and(|found| !is_user_or_root(found.uid(), user)) {
            return Err(not_own(&seen_first));
        }
        let path = folder.join(name);
        // That there must be none forbids to follow links, too.
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        match made {
            Ok(file) => {
                let trigger = Self(path);
                if file.metadata()?.uid() != user {
                    // In a container root may be nobody.
                    fchown(&file, Some(user), None)?;
                }
                Ok(trigger)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let found = fs::symlink_metadata(&path)?;
                match found.is_file() && is_user_or_root(found.uid(), user) {
                    // Left by a command that was killed, or somebody asks at the same time.
                    true => Ok(Self(path)),
                    false => Err(not_own(&path)),
                }
            }
            Err(error) => Err(error),
        }
    }
}

impl Drop for Trigger {
    fn drop(&mut self) {
        // HotSpot removes it itself in most releases.
        let _ = fs::remove_file(&self.0);
    }
}

fn is_user_or_root(found: u32, user: u32) -> bool {
    found == user || found == 0
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("subsume-{}-{name}", std::process::id()));
        fs::create_dir(&folder).expect("a new name");
        folder
    }

    fn owner(folder: &Path) -> u32 {
        fs::metadata(folder).expect("it is there").uid()
    }

    #[test]
    fn a_trigger_is_our_own_file() {
        let folder = folder("trigger");
        let (tmp, working) = (folder.join("tmp"), folder.join("working"));
        fs::create_dir(&tmp).and_then(|()| fs::create_dir(&working)).expect("new names");
        let user = owner(&tmp);
        let make = || Trigger::make(&tmp, &working, 7, user);
        let path = tmp.join(".attach_pid7");
        drop(make().expect("nothing is there"));
        assert!(!path.exists());
        fs::write(&path, "").expect("a new file");
        drop(make().expect("it was left by one of us"));
        assert!(!path.exists());
        symlink("elsewhere", &path).expect("a new name");
        assert!(make().is_err(), "a link");
        fs::remove_file(&path).and_then(|()| fs::create_dir(&path)).expect("a new name");
        assert!(make().is_err(), "a folder");
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    /// Only root can give files to others.
    #[test]
    fn a_trigger_of_another_user_is_refused() {
        let folder = folder("planted");
        let planted = folder.join(".attach_pid7");
        let planter = 4_711;
        fs::write(&planted, "").expect("a new file");
        if std::os::unix::fs::chown(&planted, Some(planter), None).is_ok() {
            let user = 4_712;
            let elsewhere = Path::new("/nowhere");
            assert!(Trigger::make(&folder, elsewhere, 7, user).is_err(), "in /tmp");
            assert!(Trigger::make(elsewhere, &folder, 7, user).is_err(), "in the working folder");
            assert!(planted.exists(), "it is not ours to remove");
        } else {
            eprintln!("not tested: only root can give files to others");
        }
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn a_socket_is_private_or_refused() {
        let folder = folder("sockets");
        let user = owner(&folder);
        let path = folder.join("s");
        assert!(!is_private_socket(&path, user).expect("nothing is there"));
        let _listener = UnixListener::bind(&path).expect("a new name");
        let allow = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode));
        allow(0o600).expect("it is ours");
        assert!(is_private_socket(&path, user).expect("it is private"));
        allow(0o666).expect("it is ours");
        assert!(is_socket_of(&path, user).expect("it is ours"));
        assert!(is_private_socket(&path, user).is_err(), "all may open it");
        allow(0o600).expect("it is ours");
        if user != 0 {
            assert!(is_socket_of(&path, user + 1).is_err(), "another user's");
        }
        let file = folder.join("f");
        fs::write(&file, "").expect("a new file");
        assert!(is_private_socket(&file, user).is_err(), "no socket");
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn names_differ() {
        let names: Vec<String> = sockets(7).collect();
        assert_eq!(names[..2], [".subsume-7", ".subsume-7.2"]);
        assert!(!names.contains(&refusal(7)));
    }
}

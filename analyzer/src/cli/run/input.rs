//! Standard input for a program that is run several times: each run reads the same bytes.
//!
//! A file is read again from where it stood. A pipe can be read once only, so what is read of it
//! is kept. No run waits for the end of a pipe: it gets what the runs before have read, and then
//! what comes, which is kept for those that follow. So a program that reads nothing waits for
//! nothing.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, PipeWriter, Read, Seek, SeekFrom, Write, stdin};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use base::number::grouped;
use tree::error::{Error, Result};

pub use super::input_form::Form;

/// Most bytes that are kept of a pipe.
const MOST: u64 = 1 << 30;
/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// Standard input for each run of a program.
#[derive(Debug)]
pub enum Input {
    /// That of this command.
    Inherited,
    /// None.
    Nothing,
    /// A file, from here on.
    File(File, u64),
    /// A pipe.
    Pipe(Arc<Stream>),
}

impl Input {
    /// That of this command, for several runs. A terminal and a device are the program's as they
    /// are.
    ///
    /// # Errors
    /// If nothing can be kept.
    pub fn of_this() -> Result<Self> {
        let (input, form) = this()?;
        Ok(match form {
            None => Self::Inherited,
            Some(Form::File) => Self::from_here(input)?,
            Some(Form::Pipe) => {
                let name = format!("subsume-input-{}", std::process::id());
                let path = std::env::temp_dir().join(name);
                let kept = create(&path)?;
                // It has no name, so that it goes with this process.
                std::fs::remove_file(&path).map_err(|e| Error::io(&path, &e))?;
                Self::Pipe(Stream::new(input, kept))
            }
        })
    }

    /// That of this command, for runs now and later, which it is kept for at `path`. From a
    /// terminal or a device the program reads nothing.
    ///
    /// # Errors
    /// If it cannot be kept.
    pub fn kept(path: &Path) -> Result<(Self, Option<Form>)> {
        let (mut input, form) = this()?;
        let made = match form {
            None => Self::Nothing,
            Some(Form::File) => {
                let start = input.stream_position()?;
                let length = input.metadata()?.len().saturating_sub(start);
                if length > MOST {
                    return Err(too_long());
                }
                let mut kept = create(path)?;
                copy(&input, start, &mut kept).map_err(|e| Error::io(path, &e))?;
                Self::again(path, Form::File)?
            }
            Some(Form::Pipe) => Self::Pipe(Stream::new(input, create(path)?)),
        };
        Ok((made, form))
    }

    /// What was kept of an earlier run.
    ///
    /// # Errors
    /// If it is not there any more.
    pub fn again(path: &Path, form: Form) -> Result<Self> {
        let failed = |e: io::Error| Error::io(path, &e);
        let kept = File::open(path).map_err(failed)?;
        Ok(match form {
            Form::File => Self::File(kept, 0),
            Form::Pipe => Self::Pipe(Stream::whole(kept)?),
        })
    }

    fn from_here(mut file: File) -> Result<Self> {
        let start = file.stream_position()?;
        Ok(Self::File(file, start))
    }

    /// The standard input of the next run, which ends with the guard.
    ///
    /// # Errors
    /// If the bytes of the runs before cannot be given again.
    pub fn of_run(&self) -> Result<(Stdio, Feeding)> {
        Ok(match self {
            Self::Inherited => (Stdio::inherit(), Feeding(None)),
            Self::Nothing => (Stdio::null(), Feeding(None)),
            Self::File(file, start) => {
                let mut again = file.try_clone()?;
                again.seek(SeekFrom::Start(*start))?;
                (again.into(), Feeding(None))
            }
            Self::Pipe(stream) => {
                if stream.state().is_cut {
                    return Err(too_long());
                }
                let (reader, writer) = io::pipe()?;
                let run = stream.state().begin_run();
                let fed = Arc::clone(stream);
                // If descendants of the program keep its end open, this waits for them.
                thread::spawn(move || fed.feed(run, writer));
                (reader.into(), Feeding(Some((Arc::clone(stream), run))))
            }
        })
    }

    /// Whether the program has read anything, as far as that is known.
    pub fn is_used(&self) -> bool {
        match self {
            Self::Inherited | Self::Nothing => false,
            Self::File(..) => true,
            Self::Pipe(stream) => stream.state().length > 0,
        }
    }
}

/// Ends the input of a run.
#[derive(Debug)]
pub struct Feeding(Option<(Arc<Stream>, u64)>);

impl Drop for Feeding {
    fn drop(&mut self) {
        if let Some((stream, run)) = &self.0 {
            let mut state = stream.state();
            // Its feeder asks for no more.
            state.run = state.run.max(run + 1);
            stream.changed.notify_all();
        }
    }
}

/// This command's standard input, and what it is made as; nothing, if it is neither a file nor a
/// pipe.
fn this() -> Result<(File, Option<Form>)> {
    let is_terminal = stdin().is_terminal();
    let file = File::from(stdin().as_fd().try_clone_to_owned()?);
    let kind = file.metadata()?.file_type();
    let form = match (is_terminal, kind.is_file(), kind.is_fifo() || kind.is_socket()) {
        (false, true, _) => Some(Form::File),
        (false, _, true) => Some(Form::Pipe),
        _ => None,
    };
    Ok((file, form))
}

/// A file for its owner, to be written and read.
fn create(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(true).mode(0o600);
    options.open(path).map_err(|e| Error::io(path, &e))
}

/// Copies a file from a place on, and leaves it where it stands.
fn copy(from: &File, start: u64, to: &mut File) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    let mut at = start;
    loop {
        let length = from.read_at(&mut chunk, at)?;
        if length == 0 {
            return Ok(());
        }
        to.write_all(&chunk[..length])?;
        at += length as u64;
    }
}

fn too_long() -> Error {
    Error::new(format!(
        "standard input cannot be kept for each run: it is longer than {} bytes, or the disk is \
         full; have the program read a file by its name",
        grouped(MOST)
    ))
}

/// A pipe, with what was read of it.
#[derive(Debug)]
pub struct Stream {
    /// What was read.
    kept: File,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Bytes that are kept.
    length: u64,
    /// Bytes behind those, which cannot be kept; only the run that asked for them gets them.
    beyond: Vec<u8>,
    /// Whether there were such bytes.
    is_cut: bool,
    /// Whether a run waits for more.
    is_wanted: bool,
    /// Whether no more will come.
    is_whole: bool,
    /// The number of the present run, or of the next one.
    run: u64,
}

impl State {
    fn begin_run(&mut self) -> u64 {
        self.run += 1;
        self.run
    }
}

impl Stream {
    /// Of a pipe that is read when somebody wants more.
    fn new(pipe: File, kept: File) -> Arc<Self> {
        let state = Mutex::default();
        let stream = Arc::new(Self { kept, state, changed: Condvar::new() });
        let read = Arc::clone(&stream);
        // It ends with the pipe, or with this process.
        thread::spawn(move || read.read(pipe));
        stream
    }

    /// Of one that was read before.
    fn whole(kept: File) -> Result<Arc<Self>> {
        let length = kept.metadata()?.len();
        let state = Mutex::new(State { length, is_whole: true, ..State::default() });
        Ok(Arc::new(Self { kept, state, changed: Condvar::new() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the pipe to its end, as far as it is wanted.
    fn read(&self, mut pipe: File) {
        let mut chunk = vec![0; CHUNK];
        loop {
            let mut state = self.state();
            while !state.is_wanted || !state.beyond.is_empty() {
                state = self.wait(state);
            }
            drop(state);
            let read = match pipe.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read,
            };
            let mut state = self.state();
            state.is_wanted = false;
            match read {
                // A pipe that fails has ended for the program, too.
                Ok(0) | Err(_) => state.is_whole = true,
                Ok(length) => {
                    let has_room = !state.is_cut && state.length + length as u64 <= MOST;
                    let at = state.length;
                    if has_room && self.kept.write_all_at(&chunk[..length], at).is_ok() {
                        state.length += length as u64;
                    } else {
                        state.is_cut = true;
                        state.beyond = chunk[..length].to_vec();
                    }
                }
            }
            let is_whole = state.is_whole;
            self.changed.notify_all();
            if is_whole {
                return;
            }
        }
    }

    /// Writes what is kept to a run, and then what comes, until the run or the pipe ends.
    fn feed(&self, run: u64, mut writer: PipeWriter) {
        let mut chunk = vec![0; CHUNK];
        let mut at = 0;
        loop {
            let mut state = self.state();
            let length = loop {
                if state.run != run {
                    return;
                }
                if at < state.length {
                    break (state.length - at).min(CHUNK as u64) as usize;
                }
                if !state.beyond.is_empty() {
                    chunk = std::mem::take(&mut state.beyond);
                    break 0;
                }
                if state.is_whole {
                    return;
                }
                state.is_wanted = true;
                self.changed.notify_all();
                state = self.wait(state);
            };
            drop(state);
            if length > 0 {
                chunk.resize(CHUNK, 0);
                if self.kept.read_exact_at(&mut chunk[..length], at).is_err() {
                    return;
                }
                at += length as u64;
            }
            let bytes = if length > 0 { &chunk[..length] } else { &chunk[..] };
            // It has closed its end, or has ended.
            if writer.write_all(bytes).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::pipe;

    use super::*;

    fn kept(name: &str) -> File {
        let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        let file = create(&path).expect("a file can be made");
        std::fs::remove_file(path).expect("and removed");
        file
    }

    /// What a run gets: the reading end of its input.
    fn run(stream: &Arc<Stream>) -> (io::PipeReader, Feeding) {
        let (reader, writer) = pipe().expect("a pipe can be made");
        let run = stream.state().begin_run();
        let fed = Arc::clone(stream);
        thread::spawn(move || fed.feed(run, writer));
        (reader, Feeding(Some((Arc::clone(stream), run))))
    }

    #[test]
    fn each_run_gets_what_the_one_before_has_read_and_what_comes() {
        let (source, mut sink) = pipe().expect("a pipe can be made");
        let stream = Stream::new(File::from(std::os::fd::OwnedFd::from(source)), kept("input"));
        let start: Vec<u8> = (0..300_000u32).map(|at| (at % 251) as u8).collect();
        let written = start.clone();
        let writing = thread::spawn(move || {
            sink.write_all(&written).expect("it is read");
            sink
        });
        // A run that reads nothing takes nothing from the others.
        drop(run(&stream));
        let (mut reader, feeding) = run(&stream);
        let mut first = vec![0; start.len()];
        reader.read_exact(&mut first).expect("all of it comes");
        assert!(first == start);
        drop((reader, feeding));
        let mut sink = writing.join().expect("all was written");
        sink.write_all(b"the end").expect("it is read");
        drop(sink);
        for _ in 0..2 {
            let (mut reader, feeding) = run(&stream);
            let mut all = Vec::new();
            reader.read_to_end(&mut all).expect("it has an end");
            assert!(all[..start.len()] == start && all.ends_with(b"the end"));
            assert_eq!(all.len(), start.len() + 7);
            drop(feeding);
        }
    }

    #[test]
    fn a_pipe_that_was_kept_is_given_again() {
        let mut file = kept("again");
        file.write_all(b"a line\n").expect("it can be written");
        let stream = Stream::whole(file).expect("it is there");
        let (mut reader, _feeding) = run(&stream);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("it has an end");
        assert_eq!(text, "a line\n");
    }
}

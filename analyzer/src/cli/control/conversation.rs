//! What is said to an agent; `agent/src/jvm/control/serve.rs` is the other side.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use analyzer::error::{Error, Result};
use rustix::net::sockopt::socket_peercred;

use super::process::Process;

/// Longest line that an agent says.
const LONGEST: u64 = 1 << 14;

/// A connection to the agent in a process.
#[derive(Debug)]
pub struct Conversation {
    process: u32,
    agent: BufReader<UnixStream>,
}

impl Conversation {
    /// Connects to the agent of a process.
    ///
    /// # Errors
    /// When it has none, or something else waits at its socket.
    pub fn open(process: &Process) -> Result<Self> {
        let stream = UnixStream::connect(&process.socket).map_err(|e| process.explain(&e))?;
        // Anybody can put a socket in /tmp that has the right name.
        let is_genuine = socket_peercred(&stream).is_ok_and(|peer| {
            peer.pid.as_raw_nonzero().get().cast_unsigned() == process.id
                && peer.uid.as_raw() == process.user
        });
        if !is_genuine {
            let path = process.socket.display();
            let id = process.id;
            return Err(Error::new(format!("{path} was not made by process {id}; remove it")));
        }
        Ok(Self { process: process.id, agent: BufReader::new(stream) })
    }

    /// Sends a command and returns what the agent says, if that is no refusal. What it
    /// says before of how far it is goes to `advance`.
    ///
    /// # Errors
    /// The refusal, or that the process ended meanwhile.
    pub fn ask(&mut self, command: &str, mut advance: impl FnMut(&str)) -> Result<String> {
        let sent = self.agent.get_mut().write_all(format!("{command}\n").as_bytes());
        sent.map_err(|_| self.broken_off())?;
        loop {
            let mut line = String::new();
            let read = (&mut self.agent).take(LONGEST).read_line(&mut line);
            let words = |prefix| line.strip_prefix(prefix).and_then(|rest| rest.strip_suffix('\n'));
            match (read, words("at "), words("ok "), words("no ")) {
                (Ok(_), Some(how_far), _, _) => advance(how_far),
                (Ok(_), _, Some(answer), _) => return Ok(answer.to_owned()),
                (Ok(_), _, _, Some(reason)) => {
                    return Err(Error::new(format!("process {}: {reason}", self.process)));
                }
                _ => return Err(self.broken_off()),
            }
        }
    }

    /// Writes what the agent sends after its answer.
    ///
    /// # Errors
    /// When it breaks off, or `out` fails.
    pub fn receive_pieces(mut self, mut out: impl Write) -> Result<()> {
        loop {
            let mut length = [0; 4];
            self.agent.read_exact(&mut length).map_err(|_| self.broken_off())?;
            let length = u64::from(u32::from_le_bytes(length));
            if length == 0 {
                return out.flush().map_err(Error::from);
            }
            let copied = std::io::copy(&mut (&mut self.agent).take(length), &mut out)?;
            if copied < length {
                return Err(self.broken_off());
            }
        }
    }

    #[cold]
    fn broken_off(&self) -> Error {
        Error::new(format!("process {} did not finish the command; it has ended", self.process))
    }
}

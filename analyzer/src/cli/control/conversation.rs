//! What is said to an agent; `agent/src/jvm/control/serve.rs` is the other side.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use base::printable;
use tree::error::{Error, Result};

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
        let mut nobody = None;
        for socket in process.sockets() {
            match process.connect_to_agent(&socket) {
                Ok(stream) => {
                    return Ok(Self { process: process.id, agent: BufReader::new(stream) });
                }
                // The first name is the usual one.
                Err(error) => nobody = nobody.or(Some(error)),
            }
        }
        let nobody = nobody.unwrap_or(std::io::ErrorKind::NotFound.into());
        Err(process.explain(&nobody))
    }

    /// Sends a command and returns the agent's answer, printable, unless it refuses. Its reports
    /// of progress go to `advance`. The answer is not trusted: if root runs this command, any
    /// process of another user may have sent it.
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
                (Ok(_), Some(how_far), _, _) => advance(&printable(how_far)),
                (Ok(_), _, Some(answer), _) => return Ok(printable(answer).into_owned()),
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

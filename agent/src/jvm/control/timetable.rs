//! What happens by itself while recording is on: `dump-every` and `stop-after`, and that
//! what probes note beside the file is written down.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use base::tell;
use instrument::options::Dumps;
use recorder::periodic_dumps::PeriodicDumps;

use super::{is_closing, serve};
use crate::jvm::native_thread;
use crate::jvm::own_work::set_own_thread;
use crate::jvm::session::Session;

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(100);

/// At most so much of the time is spent on collecting notes, as one part of so many. What was
/// noted since the last time is missing when the process is killed.
const SHARE_OF_COLLECTION: u32 = 100;

/// Begins to, if there is any of it, in a thread that the JVM does not know.
pub fn keep(session: &'static Session) {
    let options = &session.recorder.options;
    if session.recorder.idle_reason().is_some()
        || (options.dumps.is_none() && options.stop_after.is_none() && !session.recorder.collects())
    {
        return;
    }
    native_thread::spawn(move || {
        set_own_thread(true);
        let mut dumps = session.recorder.options.dumps.map(Repeated::new);
        while !is_closing() {
            std::thread::sleep(TICK);
            if session.recorder.is_recording() {
                accompany(session, &mut dumps);
            }
        }
    });
}

/// Does what is due until recording is off.
fn accompany(session: &'static Session, dumps: &mut Option<Repeated>) {
    let recorder = &session.recorder;
    let (since, began) = (Instant::now(), SystemTime::now());
    let recordings = recorder.recordings();
    if let Some(dumps) = dumps {
        dumps.due = dumps.every;
    }
    let mut collection = TICK;
    while !is_closing() && recorder.is_recording() && recorder.recordings() == recordings {
        if recorder.options.stop_after.is_some_and(|after| since.elapsed() >= after) {
            // Who asks is told that recording is off; who does not is not disturbed.
            let _ = match recorder.is_attached() {
                true => serve::detach(session),
                false => serve::stop(session),
            };
            return;
        }
        if let Some(dumps) = dumps {
            dumps.write_if_due(session, began, since.elapsed());
        }
        if recorder.collects() && since.elapsed() >= collection {
            let begin = since.elapsed();
            recorder.collect();
            let end = since.elapsed();
            collection = end + (end - begin) * SHARE_OF_COLLECTION;
        }
        std::thread::sleep(TICK);
    }
}

/// Profiles that are written again and again.
struct Repeated {
    every: Duration,
    /// When the next one is due, from the start of recording.
    due: Duration,
    dumps: PeriodicDumps,
    /// One line is enough.
    has_failed: bool,
}

impl Repeated {
    fn new(Dumps { every, keep }: Dumps) -> Self {
        Self { every, due: every, dumps: PeriodicDumps::new(keep), has_failed: false }
    }

    fn write_if_due(&mut self, session: &Session, began: SystemTime, elapsed: Duration) {
        if elapsed < self.due {
            return;
        }
        // Those that a slow disk has missed are left out.
        while self.due <= elapsed {
            self.due += self.every;
        }
        // When it was due, not when it is written: that may be twice within a second, which
        // is what names tell apart.
        let due = began + (self.due - self.every);
        let due = due.duration_since(UNIX_EPOCH).unwrap_or_default();
        let written = self.dumps.write(&session.recorder, due.as_millis() as u64);
        if let Err(error) = written
            && !self.has_failed
        {
            self.has_failed = true;
            tell!("a profile that dump-every asks for is missing: {error}");
        }
    }
}

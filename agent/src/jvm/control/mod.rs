//! Commands from outside: `subsume start|stop|dump PID`.
//!
//! A thread that the JVM does not know waits at a socket, so that no thread
//! dump shows it. Recording is switched on and off by the JVM's own thread for
//! such requests, and what it executes for us is not recorded.

mod attach_listener;
mod serve;
mod socket;
mod timetable;

pub use attach_listener::data_dump_requested;
pub use timetable::keep as keep_timetable;

use std::io::ErrorKind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use base::tell;

use super::native_thread;
use super::own_work::set_own_thread;
use super::session::Session;
use socket::Socket;

static SOCKET: OnceLock<Socket> = OnceLock::new();
static CLOSING: AtomicBool = AtomicBool::new(false);

/// Starts to take commands. Without a socket the program runs on; the command
/// then says that nobody listens.
pub fn open(session: &'static Session) {
    let socket = match Socket::bind() {
        Ok(socket) => socket,
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            let first = base::known_names::sockets(std::process::id()).next().unwrap_or_default();
            tell!("takes no commands: /tmp/{first} and all such names are others'");
            return;
        }
        // As where `/tmp` cannot be written.
        Err(_) => return,
    };
    let socket = SOCKET.get_or_init(|| socket);
    native_thread::spawn(move || {
        set_own_thread(true);
        socket::remove_left_over();
        socket.each_connection(|connection| serve::answer(session, connection));
    });
}

/// Tells the command that had the JVM load the agent why it does not work: in a file that
/// the command made for that.
pub fn tell_refusal(message: &str) {
    socket::tell_refusal(message);
}

/// Takes no more commands.
pub fn close() {
    CLOSING.store(true, Ordering::Release);
    if let Some(socket) = SOCKET.get() {
        socket.remove();
    }
}

fn is_closing() -> bool {
    CLOSING.load(Ordering::Acquire)
}

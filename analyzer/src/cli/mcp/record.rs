//! Calls that record: this command once more, as a process of its own, because the output of
//! the program that it runs must not get between the server's messages.

use std::collections::VecDeque;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::json;
use tree::error::{Error, Result};

use super::call::Call;
use super::next::Translator;

/// How often the process is looked at.
const TICK: Duration = Duration::from_millis(100);
/// Most bytes that are kept of what a process prints: the last ones.
const KEPT: usize = 16 << 10;
/// Lines of the program's own output in an answer.
const LINES: usize = 20;

/// Records, until it is done or nobody waits for it any more.
///
/// # Errors
/// If the process cannot be started.
pub fn record(
    call: &Call,
    translator: &Translator,
    is_cancelled: impl Fn() -> bool,
) -> Result<CallToolResult> {
    let program = std::env::current_exe().map_err(Error::from)?;
    let mut child = Command::new(program)
        .args(&call.words[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(Error::from)?;
    let printed = child.stdout.take().map(keep);
    let said = child.stderr.take().map(keep);
    let status = wait(&mut child, is_cancelled)?;
    let [printed, said] = [printed, said].map(|kept| {
        let kept = kept.and_then(|kept| kept.join().ok()).unwrap_or_default();
        String::from_utf8_lossy(&kept).into_owned()
    });
    // `run` answers on standard error, as the program has the output; others on theirs.
    let (answer, of_program) = match call.choice.command {
        "run" => (said, printed),
        _ => (said + &printed, String::new()),
    };
    let mut next = Vec::new();
    let lines = answer.lines().filter_map(|line| translator.line(line, &mut next));
    let mut text = format!("```text\n{}\n```\n", lines.collect::<Vec<_>>().join("\n").trim());
    let of_program: Vec<&str> = of_program.lines().collect();
    let last = &of_program[of_program.len().saturating_sub(LINES)..];
    if !last.is_empty() {
        text += &format!("\nThe program printed at last:\n\n```text\n{}\n```\n", last.join("\n"));
    }
    let content = vec![ContentBlock::text(text)];
    let is_done = status.success();
    let mut result =
        if is_done { CallToolResult::success(content) } else { CallToolResult::error(content) };
    result.structured_content = Some(json!({
        "exit_code": status.code(),
        "output": call.given.get("output"),
        "next": next,
    }));
    Ok(result)
}

/// Reads all of a pipe, and keeps the end of it.
fn keep(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut kept = VecDeque::new();
        let mut piece = [0; 4096];
        while let Ok(length @ 1..) = pipe.read(&mut piece) {
            kept.extend(&piece[..length]);
            kept.drain(..kept.len().saturating_sub(KEPT));
        }
        kept.into()
    })
}

/// Waits for a process, and asks it to end if nobody waits for the answer any more.
fn wait(child: &mut Child, is_cancelled: impl Fn() -> bool) -> Result<ExitStatus> {
    let mut is_asked = false;
    loop {
        if let Some(status) = child.try_wait().map_err(Error::from)? {
            return Ok(status);
        }
        if is_cancelled() && !is_asked {
            is_asked = true;
            end(child);
        }
        thread::sleep(TICK);
    }
}

/// Asks a process to end: it passes that on to the program.
#[cfg(target_os = "linux")]
fn end(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(process) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It may have ended by itself.
        let _ = kill_process(process, Signal::TERM);
    }
}

/// Ends a program on a system without recording: no signal has to reach its children.
#[cfg(not(target_os = "linux"))]
fn end(child: &mut Child) {
    // It may have ended by itself.
    let _ = child.kill();
}

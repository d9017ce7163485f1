//! Profiles sent to a collector of OpenTelemetry, by HTTP.

use std::io::Write;
use std::time::Duration;

use base::number::counted;
use base::{shown, tell};
use formats::protobuf::for_each_field;
use tree::error::{Error, Result};
use ureq::Agent;

/// Where collectors take profiles, below their address.
const PATH: &str = "/v1development/profiles";
const MESSAGE: &str = "application/x-protobuf";
const HTTP: &str = "http://";
const HTTPS: &str = "https://";
/// How long to wait for a connection, and for all.
const CONNECTING: Duration = Duration::from_secs(10);
const SENDING: Duration = Duration::from_secs(120);
/// The most bytes that are read of an answer, and characters that are shown.
const MOST_READ: u64 = 1 << 16;
const MOST_SHOWN: usize = 300;

/// A collector.
#[derive(Debug)]
pub struct Collector {
    address: String,
}

impl Collector {
    /// The collector at an address, with the path of profiles or without.
    ///
    /// # Errors
    /// If it is not such an address.
    pub fn at(address: &str) -> Result<Self> {
        let below = |scheme: &str| {
            let (start, rest) = address.split_at_checked(scheme.len())?;
            start.eq_ignore_ascii_case(scheme).then(|| rest.trim_end_matches('/'))
        };
        if below(HTTPS).is_some() {
            return Err(Error::new(
                "--to takes no https: name a collector on this machine that passes profiles on, \
                 or write a file with -o and send it with curl",
            ));
        }
        // Neither a user with a password, which messages would show, nor a query.
        let is_plain = |rest: &&str| {
            let is_part = |c: char| c.is_ascii_graphic() && !"@?#".contains(c);
            let place = rest.split('/').next().unwrap_or_default();
            let port = place.rsplit_once(':').map(|(_, port)| port);
            let port = port.filter(|port| !port.ends_with(']'));
            let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok());
            !place.is_empty() && is_port && rest.chars().all(is_part)
        };
        let rest = below(HTTP).filter(is_plain).ok_or_else(|| {
            Error::new("--to takes an address such as http://localhost:4318, without a password")
        })?;
        let path = if rest.ends_with(PATH) { "" } else { PATH };
        Ok(Self { address: format!("{HTTP}{rest}{path}") })
    }

    /// Sends a message of so many profiles, and says so.
    ///
    /// # Errors
    /// If the collector cannot be reached, or does not take all profiles.
    pub fn send(&self, message: &[u8], profiles: usize, out: &mut impl Write) -> Result<()> {
        let failed = |error: ureq::Error| {
            let error = match error {
                ureq::Error::Io(error) => error.to_string(),
                error => error.to_string(),
            };
            Error::new(format!("{}: {error}", self.address))
        };
        let agent: Agent = Agent::config_builder()
            // Any answer is read here.
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(CONNECTING))
            .timeout_global(Some(SENDING))
            .user_agent(concat!("subsume/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        let sent = agent.post(&self.address).header("Content-Type", MESSAGE).send(message);
        let mut response = sent.map_err(failed)?;
        let status = response.status();
        let is_message = response.body().mime_type() == Some(MESSAGE);
        // An answer that is cut short or too long says nothing.
        let body = response.body_mut().with_config().limit(MOST_READ).read_to_vec();
        let body = body.unwrap_or_default();
        if !status.is_success() {
            let said = if is_message { numbered(&body).1 } else { first_line(&body) };
            return Err(Error::new(format!("{} answers {status}{}", self.address, behind(&said))));
        }
        let (refused, said) = if is_message { partial_success(&body) } else { (0, String::new()) };
        if refused > 0 {
            let refused = counted(refused, "profile");
            return Err(Error::new(format!("{} refuses {refused}{}", self.address, behind(&said))));
        }
        if !said.is_empty() {
            tell!("note: {} says{}", self.address, behind(&said));
        }
        let profiles = counted(profiles as u64, "profile");
        let bytes = counted(message.len() as u64, "byte");
        writeln!(out, "sent {profiles} ({bytes}) to {}", shown(&self.address))?;
        Ok(())
    }
}

/// How many profiles an `ExportProfilesServiceResponse` refuses, and why.
fn partial_success(body: &[u8]) -> (u64, String) {
    let mut found = (0, String::new());
    // What does not read says nothing.
    let _ = for_each_field(body, |field, value| {
        if field == 1 {
            found = numbered(value.bytes());
        }
        Some(())
    });
    found
}

/// A message of a number and a text, such as a `Status`.
fn numbered(body: &[u8]) -> (u64, String) {
    let (mut number, mut text) = (0, String::new());
    let _ = for_each_field(body, |field, value| {
        match field {
            1 => number = value.number(),
            2 => text = first_line(value.bytes()),
            _ => {}
        }
        Some(())
    });
    (number, text)
}

/// The beginning of a text.
fn first_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.trim().lines().next().unwrap_or_default().chars().take(MOST_SHOWN).collect()
}

/// What is said, if anything, behind something else.
fn behind(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}

#[cfg(test)]
mod tests {
    use super::Collector;

    #[test]
    fn addresses() {
        for (given, address) in [
            ("http://localhost:4318", "http://localhost:4318/v1development/profiles"),
            ("http://localhost:4318/", "http://localhost:4318/v1development/profiles"),
            ("HTTP://a/otlp", "http://a/otlp/v1development/profiles"),
            ("http://[::1]:4318", "http://[::1]:4318/v1development/profiles"),
            ("http://a/v1development/profiles", "http://a/v1development/profiles"),
        ] {
            assert_eq!(Collector::at(given).unwrap().address, address);
        }
        for wrong in [
            "",
            "localhost:4318",
            "http://",
            "http:///",
            "ftp://a",
            "https://a",
            "HTTPS://a",
            "é",
            "http://a b",
            "http://a?b=c",
            "http://a#b",
            "http://me:secret@a",
            "http://a\r\nb: c",
        ] {
            assert!(Collector::at(wrong).is_err(), "{wrong}");
        }
    }
}

//! Protocols: which states objects have, and which calls change them.
//!
//! A [`protocol`] is read from text. Some come with the agent; the option `protocol` names
//! them and the user's own.

pub mod protocol;

use protocol::{Protocol, parse};

/// Names of the option `protocol`, with the protocols behind them.
pub const BUNDLED: [(&str, &str); 5] = [
    ("streams", include_str!("../../../protocols/streams.txt")),
    ("iterators", include_str!("../../../protocols/iterators.txt")),
    ("jdbc", include_str!("../../../protocols/jdbc.txt")),
    ("locks", include_str!("../../../protocols/locks.txt")),
    ("sockets", include_str!("../../../protocols/sockets.txt")),
];

/// The protocols that a recording follows, in the order in which objects are compared
/// with them.
pub type Protocols = &'static [Protocol];

/// Reads the value of the option `protocol`: names of bundled protocols and files, with a
/// `;` between several; all that are bundled where it is not given.
///
/// # Errors
/// One line that names the file, and its line, that is wrong.
pub fn protocols(value: Option<&str>) -> Result<Protocols, String> {
    let all: Vec<&str> = match value {
        None => BUNDLED.iter().map(|(name, _)| *name).collect(),
        Some(value) => value.split(';').filter(|name| !name.is_empty()).collect(),
    };
    let mut protocols: Vec<Protocol> = Vec::new();
    for name in all {
        let bundled = BUNDLED.iter().find(|(known, _)| *known == name);
        let text = match bundled {
            Some((_, text)) => (*text).to_owned(),
            None => std::fs::read_to_string(name).map_err(|error| {
                let known: Vec<&str> = BUNDLED.iter().map(|(name, _)| *name).collect();
                format!("protocol={name}: {error} (bundled: {})", known.join(", "))
            })?,
        };
        for one in parse(&text).map_err(|error| format!("protocol={name}: {error}"))? {
            if protocols.iter().any(|known| known.name == one.name) {
                return Err(format!("protocol={name}: two protocols are called '{}'", one.name));
            }
            protocols.push(one);
        }
    }
    if protocols.is_empty() {
        return Err("option 'protocol' names no protocol".to_owned());
    }
    // Instrumented code follows them until the process ends.
    Ok(protocols.leak())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundled_protocols_are_right() {
        let all = protocols(None).expect("are right");
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        let expected = [
            "file",
            "stream",
            "iterator",
            "enumeration",
            "connection",
            "statement",
            "result-set",
            "lock",
            "socket",
            "channel",
        ];
        assert_eq!(names, expected);
        assert_eq!(protocols(Some("jdbc;locks")).expect("are right").len(), 4);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |value| protocols(Some(value)).expect_err("must be refused");
        assert!(wrong("/no/such/file").contains("protocol=/no/such/file: "));
        assert!(wrong("jdbc;jdbc").contains("two protocols are called 'connection'"));
        assert!(wrong(";").contains("names no protocol"));
    }
}

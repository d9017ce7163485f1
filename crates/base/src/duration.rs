//! Times as users write them.

use std::time::Duration;

/// What such a time is like, for messages.
pub const DURATION: &str = "a time is a number above 0 with s, m or h, or of seconds, such as 30s";

/// A number with the unit `s`, `m` or `h`; without one, seconds. `None` for anything else,
/// for zero, and for times longer than a JVM runs.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let (digits, unit) = match text.as_bytes() {
        [.., b's'] => (&text[..text.len() - 1], 1),
        [.., b'm'] => (&text[..text.len() - 1], 60),
        [.., b'h'] => (&text[..text.len() - 1], 3600),
        _ => (text, 1),
    };
    let seconds = digits.parse::<u64>().ok()?.checked_mul(unit)?;
    (1..=366 * 24 * 3600).contains(&seconds).then(|| Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_units() {
        let seconds = |text| parse_duration(text).map(|time| time.as_secs());
        assert_eq!(
            [seconds("30s"), seconds("5m"), seconds("2h")],
            [Some(30), Some(300), Some(7200)]
        );
        assert_eq!(seconds("7"), Some(7));
        for text in ["", "s", "0s", "-1s", "1d", "1.5m", "9999999h", "18446744073709551615h"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}

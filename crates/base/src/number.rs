//! Numbers as people read them.

use crate::DateTime;

/// Digits in groups of three: `1,234,567`.
pub fn grouped(number: u64) -> String {
    grouped_wide(number.into())
}

fn grouped_wide(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share with two decimals: `13.60%`; `-` of nothing.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    percent_of(part as f64 / whole as f64)
}

/// A share between 0 and 1, or of a difference, with two decimals. What rounds to
/// nothing has no sign: `0.00%`.
pub fn percent_of(share: f64) -> String {
    let text = format!("{:.2}%", 100.0 * share);
    if text == "-0.00%" { "0.00%".to_owned() } else { text }
}

/// The same with its sign, also where it is positive: `+13.60%`.
pub fn signed_percent_of(share: f64) -> String {
    match percent_of(share) {
        text if share < 0.0 || text == "0.00%" => text,
        text => format!("+{text}"),
    }
}

/// How many there are for each of the others, with two decimals: `1,234.50`; `-` for none.
pub fn each(part: u64, others: u64) -> String {
    let (part, others) = (u128::from(part), u128::from(others));
    match (100 * part + others / 2).checked_div(others) {
        Some(hundredths) => {
            format!("{}.{:02}", grouped_wide(hundredths / 100), hundredths % 100)
        }
        None => "-".to_owned(),
    }
}

/// A difference with its sign: `+1,234`, `-5`, `0`.
pub fn signed(difference: i128) -> String {
    let sign = match difference.signum() {
        1 => "+",
        -1 => "-",
        _ => "",
    };
    format!("{sign}{}", grouped_wide(difference.unsigned_abs()))
}

/// A number with its unit, in the plural unless it is one: `1 context`.
pub fn counted(number: u64, unit: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {unit}{plural}", grouped(number))
}

/// A point in time, given in milliseconds since 1970, as `2026-01-31 12:59:59 UTC`.
pub fn date(millis: u64) -> String {
    let DateTime { year, month, day, hour, minute, second } = DateTime::from_millis(millis);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345_678, "12,345,678")]
        {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(counted(1, "context"), "1 context");
        assert_eq!(counted(2_000, "context"), "2,000 contexts");
    }

    #[test]
    fn differences() {
        for (difference, text) in
            [(0, "0"), (1_000, "+1,000"), (-7, "-7"), (-(1 << 64), "-18,446,744,073,709,551,616")]
        {
            assert_eq!(signed(difference), text);
        }
    }

    #[test]
    fn shares() {
        assert_eq!(percent(54, 71), "76.06%");
        assert_eq!(percent(0, 0), "-");
        for (share, text, signed) in [
            (-0.000_01, "0.00%", "0.00%"),
            (0.000_01, "0.00%", "0.00%"),
            (-0.0, "0.00%", "0.00%"),
            (-0.000_06, "-0.01%", "-0.01%"),
            (0.5, "50.00%", "+50.00%"),
        ] {
            assert_eq!(
                (percent_of(share).as_str(), signed_percent_of(share).as_str()),
                (text, signed)
            );
        }
    }

    #[test]
    fn parts_of_each() {
        for (part, others, text) in [
            (0, 0, "-"),
            (5, 0, "-"),
            (0, 3, "0.00"),
            (1, 3, "0.33"),
            (2, 3, "0.67"),
            (1, 200, "0.01"),
            (3_010, 3_010, "1.00"),
            (2_469, 2, "1,234.50"),
            (u64::MAX, 1, "18,446,744,073,709,551,615.00"),
        ] {
            assert_eq!(each(part, others), text);
        }
    }

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(date(951_782_399_999), "2000-02-28 23:59:59 UTC");
        assert_eq!(date(951_782_400_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(date(1_767_225_599_000), "2025-12-31 23:59:59 UTC");
    }
}

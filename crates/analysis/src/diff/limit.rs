//! Limits that a new profile must keep, such as `bytecodes>+2%`.

use std::fmt;
use std::str::FromStr;

/// A condition under which the new profile is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// The condition as it was given.
    text: String,
    /// What is limited: a metric, `contexts`, `methods`, or a pattern of methods.
    pub quantity: String,
    /// True to refuse what exceeds the bound, false for what falls below.
    more: bool,
    /// True if the bound itself is refused.
    or_equal: bool,
    bound: Bound,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Bound {
    /// Of the base.
    Percent(f64),
    /// A difference.
    Difference(i128),
}

impl Limit {
    /// True if the new profile is to be refused.
    pub fn is_broken(&self, base: u64, new: u64) -> bool {
        self.is_broken_by(base, i128::from(new) - i128::from(base))
    }

    /// True if a difference is to be refused, where `base` covers more than the quantity.
    pub fn is_broken_by(&self, base: u64, difference: i128) -> bool {
        // Sides as they are compared; per cent of the base, so that no base
        // needs to be divided by.
        let order = match self.bound {
            Bound::Difference(bound) => difference.partial_cmp(&bound),
            Bound::Percent(percent) => {
                (difference as f64 * 100.0).partial_cmp(&(percent * base as f64))
            }
        };
        order.is_some_and(|order| {
            order.is_eq() && self.or_equal || if self.more { order.is_gt() } else { order.is_lt() }
        })
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("'{text}' is not a condition such as 'bytecodes>+2%' or 'calls>=1000'");
        // The last one: a method may be called <init>.
        let at = text.rfind(['<', '>']).ok_or_else(wrong)?;
        let (quantity, rest) = text.split_at(at);
        let more = rest.starts_with('>');
        let (or_equal, bound) = match rest[1..].strip_prefix('=') {
            Some(bound) => (true, bound),
            None => (false, &rest[1..]),
        };
        let digits = bound.trim().replace(['_', ','], "");
        let bound = match digits.strip_suffix('%') {
            Some(percent) => {
                percent.trim().parse().ok().filter(|p: &f64| p.is_finite()).map(Bound::Percent)
            }
            None => digits.parse().ok().map(Bound::Difference),
        };
        let quantity = quantity.trim().to_owned();
        if quantity.is_empty() {
            return Err(wrong());
        }
        Ok(Self {
            text: text.to_owned(),
            quantity,
            more,
            or_equal,
            bound: bound.ok_or_else(wrong)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Limit;

    #[test]
    fn conditions() {
        for (text, base, new, broken) in [
            ("bytecodes>+2%", 100, 102, false),
            ("bytecodes>+2%", 100, 103, true),
            ("bytecodes>=2%", 100, 102, true),
            ("bytecodes > 0%", 0, 1, true),
            ("bytecodes>0%", 0, 0, false),
            ("calls>1_000", 5, 1_005, false),
            ("calls>1,000", 5, 1_006, true),
            ("calls<-10%", 100, 89, true),
            ("calls<-10%", 100, 90, false),
            ("calls<=-3", 10, 7, true),
            ("calls<0", u64::MAX, 0, true),
            ("a.B.<init>>1%", 100, 102, true),
            ("a.B.<init> >= 2%", 100, 101, false),
        ] {
            let limit: Limit = text.parse().unwrap();
            assert_eq!(limit.is_broken(base, new), broken, "{text} {base} {new}");
        }
        for text in ["", "bytecodes", ">2", "calls>", "calls>x", "calls>1.5", "calls>inf%"] {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
    }
}

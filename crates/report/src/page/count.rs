//! Numbers that a browser must not round.

use serde::{Serialize, Serializer};

/// A count. JavaScript's numbers are exact up to 2^53; greater ones are written
/// as text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count(pub u64);

const GREATEST_EXACT: u64 = (1 << 53) - 1;

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 <= GREATEST_EXACT {
            serializer.serialize_u64(self.0)
        } else {
            serializer.collect_str(&self.0)
        }
    }
}

/// A column of counts.
pub fn column(counts: impl IntoIterator<Item = u64>) -> Vec<Count> {
    counts.into_iter().map(Count).collect()
}

#[cfg(test)]
mod tests {
    use super::column;

    #[test]
    fn great_numbers_are_text() {
        let counts = column([7, (1 << 53) - 1, 1 << 53, u64::MAX]);
        let json = serde_json::to_string(&counts).unwrap();
        assert_eq!(json, r#"[7,9007199254740991,"9007199254740992","18446744073709551615"]"#);
    }
}

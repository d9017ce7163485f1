//! Field and method descriptors (JVMS 4.3).

/// One parameter, return value or field type: `I`, `[J`, `Ljava/lang/String;`.
///
/// Words are stack or local slots: 2 for long and double, 0 for void, else 1.
pub fn words(field_type: &[u8]) -> u16 {
    match field_type.first() {
        Some(b'J' | b'D') => 2,
        Some(b'V') | None => 0,
        Some(_) => 1,
    }
}

/// The types of the parameters of a method descriptor. Stops at the first
/// place where the descriptor is malformed.
pub fn parameters(method_descriptor: &[u8]) -> Parameters<'_> {
    Parameters { rest: method_descriptor.strip_prefix(b"(").unwrap_or_default() }
}

/// The return type of a method descriptor, `V` included; empty if malformed.
pub fn return_type(method_descriptor: &[u8]) -> &[u8] {
    match method_descriptor.iter().rposition(|&byte| byte == b')') {
        Some(end) => method_descriptor.get(end + 1..).unwrap_or_default(),
        None => &[],
    }
}

/// Words that the arguments take on the stack, without the receiver.
pub fn argument_words(method_descriptor: &[u8]) -> u16 {
    parameters(method_descriptor).map(words).fold(0, u16::saturating_add)
}

/// Iterates over parameter types.
#[derive(Clone, Debug)]
pub struct Parameters<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Parameters<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let dimensions = self.rest.iter().take_while(|&&byte| byte == b'[').count();
        let length = match self.rest.get(dimensions)? {
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => dimensions + 1,
            b'L' => self.rest.iter().position(|&byte| byte == b';')? + 1,
            _ => return None,
        };
        let (parameter, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(parameter)
    }
}

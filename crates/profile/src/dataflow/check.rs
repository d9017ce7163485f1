//! What the checks of all tables have in common.

use crate::Error;

/// Checks that entry `at` of the table `what` refers to one of `len` entries.
pub(super) fn within(
    what: &str,
    at: usize,
    of: &str,
    number: u32,
    len: usize,
) -> Result<(), Error> {
    if (number as usize) < len {
        return Ok(());
    }
    Err(Error::invalid(format!("{what} {at} refers to {of} {number} of {len}")))
}

/// Checks that a table of reserved number 0 has at least that entry.
pub(super) fn reserved(what: &str, len: usize) -> Result<(), Error> {
    if len > 0 {
        return Ok(());
    }
    Err(Error::invalid(format!("the table of {what}s lacks the reserved {what} 0")))
}

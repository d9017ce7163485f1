//! The live form: read as it is, or converted to the compact form.

use crate::{Columns, Error, Profile};

/// Reads a file in the live form, its magic, version and form checked.
pub(crate) fn read(_bytes: &[u8], _columns: &Columns) -> Result<Profile, Error> {
    Err(Error::invalid("the live form cannot be read yet"))
}

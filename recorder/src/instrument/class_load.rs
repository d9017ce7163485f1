//! A class that the JVM loads, and what it is to load instead.

/// A class that the JVM is about to parse.
#[derive(Debug)]
pub struct Arrival<'a> {
    /// Its internal name, if the JVM knows it already.
    pub name: Option<&'a [u8]>,
    /// Its class file.
    pub bytes: &'a [u8],
    /// True if the boot loader loads it.
    pub boot: bool,
}

/// What the JVM is to parse instead.
#[derive(Debug)]
pub struct Transformed {
    /// The class file.
    pub bytes: Vec<u8>,
    /// True if methods lost their intrinsics, which the JVM comments on.
    pub intrinsics_removed: bool,
}

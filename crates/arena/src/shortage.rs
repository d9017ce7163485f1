//! Why an arena takes no more contexts.

use std::fmt;

/// What ran out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shortage {
    /// The disk or a limit of the system on the file; the text says which.
    Disk(String),
    /// The option `max-memory`, in bytes.
    MaxMemory(u64),
    /// What a file in memory may take of a container's memory, in bytes.
    ContainerMemory(u64),
    /// The option `max-contexts`.
    MaxContexts(u64),
    /// The range of addresses reserved for the file, in bytes.
    Addresses(u64),
    /// Somebody shortened the file while it was written, or the disk failed.
    FileDamaged,
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disk(reason) => write!(f, "there was no room on the disk: {reason}"),
            Self::MaxMemory(bytes) => write!(f, "max-memory={bytes} was reached"),
            Self::ContainerMemory(bytes) => write!(
                f,
                "it lies in memory, where it may take {bytes} bytes, a quarter of what the \
                 container has (write to a disk, or set max-memory)"
            ),
            Self::MaxContexts(count) => write!(f, "max-contexts={count} was reached"),
            Self::Addresses(bytes) => write!(f, "its {bytes} bytes of addresses were used up"),
            Self::FileDamaged => {
                f.write_str("parts of the file were taken away while it was written")
            }
        }
    }
}

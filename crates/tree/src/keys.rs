//! Keys of methods and contexts: hashes that are the same in all profiles, whatever numbers
//! these have there.

use profile::CallSite;
use twox_hash::XxHash3_128;

use crate::names::method::Method;

/// A hash of 128 bits.
pub type Key = u128;

/// The metrics of recordings, each of which has a column in tables of contexts.
pub const METRICS: [&str; 5] = ["calls", "bytecodes", "allocations", "moved", BYTES];

/// The metric of allocated bytes, which only some recordings have. Older tables
/// of contexts lack its column.
pub const BYTES: &str = "bytes";

/// What stands for the call site of a context that has none.
pub const NO_SITE: (i32, i32) = (-1, 0);

/// The key above the roots of a thread.
pub fn thread_key(name: &str) -> Key {
    XxHash3_128::oneshot(format!("thread\0{name}").as_bytes())
}

/// The key of a context: of its caller's key, its method, and the bytecode index and line
/// of its call site.
pub fn context_key(parent: Key, method: Key, site: (i32, i32)) -> Key {
    let mut bytes = [0; 40];
    bytes[..16].copy_from_slice(&parent.to_le_bytes());
    bytes[16..32].copy_from_slice(&method.to_le_bytes());
    bytes[32..36].copy_from_slice(&site.0.to_le_bytes());
    bytes[36..].copy_from_slice(&site.1.to_le_bytes());
    XxHash3_128::oneshot(&bytes)
}

/// The key of a path of methods, without threads and call sites; that above roots is 0.
pub fn path_key(parent: Key, method: Key) -> Key {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&parent.to_le_bytes());
    bytes[16..].copy_from_slice(&method.to_le_bytes());
    XxHash3_128::oneshot(&bytes)
}

/// The key of a method.
pub fn method_key(method: &Method) -> Key {
    let text = format!("{}\0{}\0{}", method.class, method.name, method.descriptor);
    XxHash3_128::oneshot(text.as_bytes())
}

/// The two columns of a key, signed numbers of 64 bits.
pub fn split(key: Key) -> (i64, i64) {
    ((key >> 64) as i64, key as i64)
}

/// A key from its two columns.
pub fn join(high: i64, low: i64) -> Key {
    u128::from(high as u64) << 64 | u128::from(low as u64)
}

/// The call site of a node as it is in the table.
pub fn site_of(site: CallSite) -> (i32, i32) {
    (site.bci.into(), site.line.into())
}

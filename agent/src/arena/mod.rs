//! The memory that probes write to: the profile's file, mapped.
//!
//! This is one of the agent's marked modules with `unsafe` (the other is
//! [`crate::jvm`]). Its invariants:
//!
//! - The whole address range is reserved once and never moves or shrinks, so
//!   instrumented code may keep the base address as a constant.
//! - A page is handed out only after disk space for it was allocated and it
//!   was mapped; so a full disk is an error here and never a SIGBUS there.
//! - Rust touches the memory only through `&AtomicU32` and `&AtomicU64`,
//!   because the program's threads write at the same time.

#![allow(unsafe_code)]

mod file;
mod image;

use std::io;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use parking_lot::{Condvar, Mutex};
use profile::layout;

use file::BackingFile;
pub use file::{check_replaceable, create_private};

/// Address range asked for first, in bytes; halved until the system agrees
/// (`ulimit -v`). 16 GB is what 32-bit word indices reach.
const RESERVE: usize = 1 << 34;
/// The least range that is worth a recording.
const RESERVE_MIN: usize = 1 << 28;
/// First, and smallest, piece of file that is committed, in bytes.
const COMMIT_FIRST: u64 = 1 << 20;
/// Largest piece committed at once.
const COMMIT_MAX: u64 = 32 << 20;
/// Words for nodes that found no room: enough for millions of methods, and
/// no memory until they are touched.
const OVERFLOW_WORDS: u32 = 1 << 25;

/// A growing, mapped profile file. Positions are word indices as in
/// [`profile::layout`].
#[derive(Debug)]
pub struct Arena {
    /// Start of the mapping: the header page.
    mapping: NonNull<u8>,
    /// Bytes of arena (without header and overflow) that the reservation holds.
    capacity: u64,
    /// Bytes of arena that are mapped and may be touched.
    committed: AtomicU64,
    /// First free word.
    next: AtomicU64,
    /// Word index of the overflow.
    overflow: u32,
    /// First free word of the overflow.
    next_overflow: AtomicU64,
    growth: Mutex<Growth>,
    wanted: Condvar,
}

#[derive(Debug)]
struct Growth {
    file: BackingFile,
    /// Set when the disk refused; no further attempt is made.
    refused: Option<String>,
    closing: bool,
}

// SAFETY: the mapping lives until the process ends, its pages are reached
// through atomics only, and everything else in `Arena` is Sync by itself.
unsafe impl Sync for Arena {}
// SAFETY: nothing in `Arena` is bound to the thread that made it.
unsafe impl Send for Arena {}

impl Arena {
    /// Creates the file (readable by its owner only) and maps its first piece.
    ///
    /// # Errors
    /// Whatever the system says about the file, its disk or the address space.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = BackingFile::create(path)?;
        let (mapping, reserved) = reserve()?;
        let overflow_bytes = u64::from(OVERFLOW_WORDS) * 4;
        let capacity = reserved as u64 - layout::ARENA_OFFSET as u64 - overflow_bytes;
        let arena = Self {
            mapping,
            capacity,
            committed: AtomicU64::new(0),
            next: AtomicU64::new(u64::from(layout::RESERVED_WORDS)),
            overflow: u32::try_from(capacity / 4).map_err(io::Error::other)?,
            // Its first words stay 0: they stand for a tree without nodes.
            next_overflow: AtomicU64::new(capacity / 4 + u64::from(layout::RESERVED_WORDS)),
            growth: Mutex::new(Growth { file, refused: None, closing: false }),
            wanted: Condvar::new(),
        };
        arena.map_overflow()?;
        arena.map_first()?;
        Ok(arena)
    }

    /// Address of word 0, for the probes.
    pub fn base_address(&self) -> u64 {
        self.mapping.as_ptr() as u64 + layout::ARENA_OFFSET as u64
    }

    /// Where the overflow begins: memory outside the file that takes counts
    /// nobody will read. Its first words stay 0 and pass for a tree.
    pub fn overflow(&self) -> u32 {
        self.overflow
    }

    /// Takes words of zeroed memory, even-aligned, in the overflow.
    pub fn take_overflow(&self, words: u32) -> Option<u32> {
        let words = u64::from(words.next_multiple_of(2));
        let end = u64::from(self.overflow) + u64::from(OVERFLOW_WORDS);
        let start = self
            .next_overflow
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                (next + words <= end).then_some(next + words)
            })
            .ok()?;
        u32::try_from(start).ok()
    }

    /// Takes `words` words of zeroed memory, even-aligned; `None` when the disk or
    /// the address range is full.
    pub fn take(&self, words: u32) -> Option<u32> {
        let words = u64::from(words.next_multiple_of(2));
        let start = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                ((next + words) * 4 <= self.capacity).then_some(next + words)
            })
            .ok()?;
        let end_bytes = (start + words) * 4;
        let committed = self.committed.load(Ordering::Acquire);
        if end_bytes > committed {
            if !self.grow_to(end_bytes) {
                return None;
            }
        } else if committed - end_bytes < next_piece(committed) {
            // The growth thread stays one piece ahead.
            self.wanted.notify_one();
        }
        u32::try_from(start).ok()
    }

    /// A word, if the index lies in usable memory.
    pub fn word(&self, index: u32) -> Option<&AtomicU32> {
        self.usable(index, 1).then(|| {
            // SAFETY: `usable` checked that the word lies in mapped, never unmapped
            // memory; 4-byte aligned because indices count words.
            unsafe { AtomicU32::from_ptr(self.address(index).cast()) }
        })
    }

    /// Two words as one number, if the even index lies in usable memory.
    pub fn long(&self, index: u32) -> Option<&AtomicU64> {
        (index.is_multiple_of(2) && self.usable(index, 2)).then(|| {
            // SAFETY: as in `word`; an even index is 8-byte aligned as the base is.
            unsafe { AtomicU64::from_ptr(self.address(index).cast()) }
        })
    }

    /// A number in the header page.
    pub fn header_word(&self, byte_offset: usize) -> &AtomicU32 {
        assert!(byte_offset.is_multiple_of(4) && byte_offset + 4 <= layout::ARENA_OFFSET);
        // SAFETY: the header page is mapped for ever and the offset lies in it.
        unsafe { AtomicU32::from_ptr(self.mapping.as_ptr().add(byte_offset).cast()) }
    }

    /// A long number in the header page.
    pub fn header_long(&self, byte_offset: usize) -> &AtomicU64 {
        assert!(byte_offset.is_multiple_of(8) && byte_offset + 8 <= layout::ARENA_OFFSET);
        // SAFETY: the header page is mapped for ever and the offset lies in it.
        unsafe { AtomicU64::from_ptr(self.mapping.as_ptr().add(byte_offset).cast()) }
    }

    /// Why the arena stopped growing, if it did.
    pub fn refusal(&self) -> Option<String> {
        self.growth.lock().refused.clone()
    }

    /// Body of the growth thread: keeps one piece of committed memory ahead
    /// of the program, so that its threads seldom wait for the disk.
    pub fn grow_ahead(&self) {
        let mut growth = self.growth.lock();
        loop {
            self.wanted.wait(&mut growth);
            if growth.closing || growth.refused.is_some() {
                return;
            }
            let used = self.next.load(Ordering::Relaxed) * 4;
            let committed = self.committed.load(Ordering::Acquire);
            if used + next_piece(committed) > committed {
                self.commit(&mut growth, committed);
            }
        }
    }

    /// Ends the growth thread.
    pub fn stop_growing_ahead(&self) {
        self.growth.lock().closing = true;
        self.wanted.notify_all();
    }

    fn usable(&self, index: u32, words: u32) -> bool {
        let end = (u64::from(index) + u64::from(words)) * 4;
        end <= self.committed.load(Ordering::Acquire)
            || (index >= self.overflow
                && end <= (u64::from(self.overflow) + u64::from(OVERFLOW_WORDS)) * 4)
    }

    fn address(&self, index: u32) -> *mut u8 {
        // SAFETY: callers checked the index against the reservation.
        unsafe { self.mapping.as_ptr().add(layout::ARENA_OFFSET + index as usize * 4) }
    }

    fn grow_to(&self, end_bytes: u64) -> bool {
        let mut growth = self.growth.lock();
        while self.committed.load(Ordering::Acquire) < end_bytes {
            if growth.refused.is_some() || !self.commit(&mut growth, end_bytes) {
                return false;
            }
        }
        true
    }

    /// Commits at least up to `end_bytes`; pieces grow with the file.
    fn commit(&self, growth: &mut Growth, end_bytes: u64) -> bool {
        let from = self.committed.load(Ordering::Acquire);
        let to = end_bytes
            .max(from + next_piece(from))
            .next_multiple_of(COMMIT_FIRST)
            .min(self.capacity);
        let header = layout::ARENA_OFFSET as u64;
        let mapped = growth
            .file
            .allocate(header + from, to - from)
            .and_then(|()| self.map_file(&growth.file, header + from, to - from));
        match mapped {
            Ok(()) => {
                self.committed.store(to, Ordering::Release);
                self.header_long(layout::header::COMMITTED).store(to, Ordering::Release);
                true
            }
            Err(error) => {
                growth.refused = Some(error.to_string());
                false
            }
        }
    }

    fn map_first(&self) -> io::Result<()> {
        let header = layout::ARENA_OFFSET as u64;
        let mut growth = self.growth.lock();
        growth.file.allocate(0, header)?;
        self.map_file(&growth.file, 0, header)?;
        if self.commit(&mut growth, COMMIT_FIRST) {
            return Ok(());
        }
        Err(io::Error::other(growth.refused.clone().unwrap_or_default()))
    }

    /// Maps a piece of the file at its place in the reservation.
    fn map_file(&self, file: &BackingFile, offset: u64, length: u64) -> io::Result<()> {
        use std::os::fd::AsRawFd;
        // SAFETY: the target range lies inside our own reservation, where nobody
        // holds references yet: it is published only after this call.
        let at = unsafe {
            libc::mmap(
                self.mapping.as_ptr().add(offset as usize).cast(),
                length as usize,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_FIXED,
                file.as_raw_fd(),
                offset as libc::off_t,
            )
        };
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // Take the page faults here instead of in the program's threads. Kernels
        // before 5.14 do not know the request; then the program takes them.
        // SAFETY: the range was mapped by the call above.
        unsafe { libc::madvise(at, length as usize, MADV_POPULATE_WRITE) };
        Ok(())
    }

    fn map_overflow(&self) -> io::Result<()> {
        // SAFETY: the overflow's range is part of our own reservation and not in use.
        let at = unsafe {
            libc::mmap(
                self.address(self.overflow).cast(),
                OVERFLOW_WORDS as usize * 4,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if at == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

/// How much to commit behind so many bytes: little enough that a small
/// profile stays small, enough that a large one seldom has to.
fn next_piece(committed: u64) -> u64 {
    (committed / 16).clamp(COMMIT_FIRST, COMMIT_MAX)
}

/// Not yet in every libc crate: prefault pages for writing.
const MADV_POPULATE_WRITE: libc::c_int = 23;

fn reserve() -> io::Result<(NonNull<u8>, usize)> {
    let mut bytes = RESERVE;
    loop {
        // SAFETY: a fresh private mapping without access, placed by the kernel.
        let at = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if at != libc::MAP_FAILED
            && let Some(mapping) = NonNull::new(at.cast())
        {
            return Ok((mapping, bytes));
        }
        bytes /= 2;
        if bytes < RESERVE_MIN {
            return Err(io::Error::last_os_error());
        }
    }
}

#[cfg(test)]
mod tests;

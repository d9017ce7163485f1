//! The memory that probes write to: the profile's file, mapped.
//!
//! This crate and `agent::jvm` are the places in the agent with `unsafe`. Its invariants:
//!
//! - The whole address range is reserved once and never moves or shrinks, so
//!   instrumented code may keep the base address as a constant: of an arena that is
//!   never dropped. One that comes to nothing gives its addresses back.
//! - A page is handed out only after disk space for it was allocated and it
//!   was mapped; so a full disk is an error here and never a SIGBUS there.
//! - Rust touches the memory only through `&AtomicU32` and `&AtomicU64`,
//!   because the program's threads write at the same time.

#![allow(unsafe_code)]
#![warn(clippy::missing_errors_doc)]

mod container;
mod file;
mod image;
mod lost_pages;
mod shortage;
mod views;

use std::fs::File;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use parking_lot::{Condvar, Mutex, RwLock, RwLockReadGuard};
use profile::layout;

use file::BackingFile;
pub use shortage::Shortage;
use views::Views;
pub use views::{
    addresses_beside, forget_words, memory_beside, scattered_words_beside, words_beside,
};

/// First, and smallest, piece of file that is committed, in bytes.
pub const COMMIT_FIRST: u64 = 1 << 20;
/// What is asked for when the disk has no room for more.
const COMMIT_LEAST: u64 = 1 << 16;
/// Largest piece committed at once.
const COMMIT_MAX: u64 = 32 << 20;

/// Bytes of a page of memory: the file's header takes one, and what is mapped behind it begins
/// at a multiple of it.
const PAGE: u64 = 4096;

const _: () = assert!((layout::ARENA_OFFSET as u64).is_multiple_of(PAGE));

/// Why nothing can be recorded on this system because of its pages, if so: `mmap` takes
/// multiples of their size only, and they are larger than the header.
pub fn page_obstacle() -> Option<String> {
    // SAFETY: a plain question.
    obstacle_of(unsafe { libc::sysconf(libc::_SC_PAGESIZE) })
}

fn obstacle_of(page: libc::c_long) -> Option<String> {
    (page != PAGE as libc::c_long)
        .then(|| format!("memory pages of this system have {page} bytes, and not {PAGE}"))
}

/// A growing, mapped profile file. Positions are word indices as in
/// [`profile::layout`].
#[derive(Debug)]
pub struct Arena {
    views: Views,
    /// Bytes of arena (without header and overflow) that there may be.
    capacity: u64,
    /// What is to be told when they are used up.
    capacity_shortage: Shortage,
    /// Bytes of memory beside the file that count like bytes of arena.
    beside: AtomicU64,
    /// Bytes of arena that are mapped and may be touched.
    committed: AtomicU64,
    /// First free word.
    next: AtomicU64,
    /// Word index of the overflow.
    overflow: u32,
    /// First free word of the overflow.
    next_overflow: AtomicU64,
    /// Set once when nothing more is taken.
    shortage: OnceLock<Shortage>,
    /// Set once when no more contexts are taken, but all else is.
    shortage_of_contexts: OnceLock<Shortage>,
    /// Held for writing while the program's view changes, for reading while
    /// the agent changes several words that belong together.
    view: RwLock<()>,
    growth: Mutex<Growth>,
    wanted: Condvar,
}

/// How much room there is for memory beside the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoomBeside {
    /// So much that memory may wait for its next use.
    Much,
    /// What is not used is better given back.
    Little,
    /// None.
    None,
}

#[derive(Debug)]
struct Growth {
    file: BackingFile,
    closing: bool,
}

impl Arena {
    /// Takes a new, empty file and maps its first piece. It will not grow beyond `max_memory`
    /// bytes.
    ///
    /// # Errors
    /// Whatever the system says about the file, its disk or the address space.
    pub fn create(file: File, max_memory: Option<u64>) -> io::Result<Self> {
        let arena = Self::new(Views::reserve()?, BackingFile::new(file), max_memory)?;
        arena.map_first().map(|()| arena)
    }

    /// An arena that nobody will read, in memory.
    ///
    /// # Errors
    /// Whatever the system says about memory or the address space.
    pub fn in_memory() -> io::Result<Self> {
        let arena = Self::new(Views::reserve()?, BackingFile::in_memory()?, None)?;
        arena.map_first().map(|()| arena)
    }

    fn new(views: Views, file: BackingFile, max_memory: Option<u64>) -> io::Result<Self> {
        let header = layout::ARENA_OFFSET as u64;
        let room = views.file_bytes() as u64 - header;
        let overflow = u32::try_from(room / 4).map_err(io::Error::other)?;
        let limit = match max_memory {
            Some(bytes) => Some((bytes, Shortage::MaxMemory(bytes))),
            None if file.is_in_memory() => {
                container::share().map(|bytes| (bytes, Shortage::ContainerMemory(bytes)))
            }
            None => None,
        };
        let (capacity, capacity_shortage) = match limit {
            Some((bytes, shortage)) if bytes < room => {
                (bytes.saturating_sub(header) & !(PAGE - 1), shortage)
            }
            _ => (room, Shortage::Addresses(room)),
        };
        Ok(Self {
            views,
            capacity,
            capacity_shortage,
            beside: AtomicU64::new(0),
            committed: AtomicU64::new(0),
            next: AtomicU64::new(u64::from(layout::RESERVED_WORDS)),
            overflow,
            // Its first words stay 0: they stand for a tree without nodes.
            next_overflow: AtomicU64::new(u64::from(overflow + layout::RESERVED_WORDS)),
            shortage: OnceLock::new(),
            shortage_of_contexts: OnceLock::new(),
            view: RwLock::new(()),
            growth: Mutex::new(Growth { file, closing: false }),
            wanted: Condvar::new(),
        })
    }

    /// Address of word 0, for the probes.
    pub fn base_address(&self) -> u64 {
        self.views.program().as_ptr() as u64 + layout::ARENA_OFFSET as u64
    }

    /// Where the overflow begins: memory outside the file that takes counts
    /// nobody will read. Its first words stay 0 and pass for a tree.
    pub fn overflow(&self) -> u32 {
        self.overflow
    }

    /// Takes words of zeroed memory, even-aligned, in the overflow.
    pub fn take_overflow(&self, words: u32) -> Option<u32> {
        let words = u64::from(words.next_multiple_of(2));
        let end = self.end_of_overflow();
        let start = self
            .next_overflow
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                (next + words <= end).then_some(next + words)
            })
            .ok()?;
        u32::try_from(start).ok()
    }

    /// How many words the overflow has in all.
    pub fn overflow_words(&self) -> u32 {
        // All words have numbers below 2^32.
        (self.end_of_overflow() - u64::from(self.overflow)) as u32
    }

    fn end_of_overflow(&self) -> u64 {
        u64::from(self.overflow) + self.views.overflow_bytes() as u64 / 4
    }

    /// Takes `words` words of zeroed memory, even-aligned; `None` when the disk or
    /// the address range is full.
    pub fn take(&self, words: u32) -> Option<u32> {
        if self.is_full() {
            return None;
        }
        let words = u64::from(words.next_multiple_of(2));
        let capacity = self.capacity.saturating_sub(self.beside.load(Ordering::Relaxed));
        let taken = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
            ((next + words) * 4 <= capacity).then_some(next + words)
        });
        let Ok(start) = taken else {
            self.end_with(self.capacity_shortage.clone());
            return None;
        };
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

    /// Counts bytes of memory beside the file like words in it; false if there is no
    /// room for them.
    pub fn count_beside(&self, bytes: u64) -> bool {
        let used = self.next.load(Ordering::Relaxed) * 4;
        let beside = self.beside.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if !self.is_full() && used + beside > self.capacity {
            self.end_with(self.capacity_shortage.clone());
        }
        !self.is_full()
    }

    /// Such bytes are no longer used.
    pub fn discount_beside(&self, bytes: u64) {
        self.beside.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Whether more than half of the room there is would be used with so many bytes more
    /// beside the file, or all of it.
    pub fn room_beside(&self, bytes: u64) -> RoomBeside {
        let used = self.next.load(Ordering::Relaxed) * 4;
        match used + self.beside.load(Ordering::Relaxed) + bytes {
            all if all > self.capacity => RoomBeside::None,
            most if most > self.capacity / 2 => RoomBeside::Little,
            _ => RoomBeside::Much,
        }
    }

    /// A word, if the index lies in usable memory.
    pub fn word(&self, index: u32) -> Option<&AtomicU32> {
        self.usable(index, 1).then(|| {
            // SAFETY: `usable` checked that the word lies in memory that stays mapped for as
            // long as `self` lives; 4-byte aligned because indices count words.
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

    /// Returns `count` numbers of two words each, if all of them lie in usable memory and the
    /// index of the first one is even.
    pub fn longs(&self, index: u32, count: u32) -> Option<&[AtomicU64]> {
        (index.is_multiple_of(2) && self.usable(index, count.checked_mul(2)?)).then(|| {
            // SAFETY: as in `long`; `usable` checked that all words lie in one part of
            // the memory, which is contiguous.
            unsafe { std::slice::from_raw_parts(self.address(index).cast(), count as usize) }
        })
    }

    /// A number in the header page.
    pub fn header_word(&self, byte_offset: usize) -> &AtomicU32 {
        assert!(byte_offset.is_multiple_of(4) && byte_offset + 4 <= layout::ARENA_OFFSET);
        // SAFETY: the header page is mapped as long as `self` lives, and the offset lies in it.
        unsafe { AtomicU32::from_ptr(self.views.at(byte_offset).cast()) }
    }

    /// A long number in the header page.
    pub fn header_long(&self, byte_offset: usize) -> &AtomicU64 {
        assert!(byte_offset.is_multiple_of(8) && byte_offset + 8 <= layout::ARENA_OFFSET);
        // SAFETY: the header page is mapped as long as `self` lives, and the offset lies in it.
        unsafe { AtomicU64::from_ptr(self.views.at(byte_offset).cast()) }
    }

    /// Ends the taking of memory; the first reason counts.
    pub fn end_with(&self, shortage: Shortage) {
        // Somebody else may have been first.
        let _ = self.shortage.set(shortage);
    }

    /// Ends the taking of contexts alone.
    pub fn end_contexts_with(&self, shortage: Shortage) {
        let _ = self.shortage_of_contexts.set(shortage);
    }

    /// True if more contexts are taken.
    pub fn takes_contexts(&self) -> bool {
        self.shortage_of_contexts.get().is_none() && !self.is_full()
    }

    /// True if nothing more is taken.
    pub fn is_full(&self) -> bool {
        self.shortage.get().is_some() || lost_pages::any()
    }

    /// Looks whether somebody truncated the file where no thread has been since.
    pub fn look_for_lost_pages(&self) {
        let growth = self.growth.lock();
        let bytes = layout::ARENA_OFFSET as u64 + self.committed.load(Ordering::Acquire);
        if growth.file.length().is_some_and(|length| length < bytes) {
            lost_pages::note_truncation();
        }
    }

    /// Why no more contexts are taken, if so.
    pub fn shortage(&self) -> Option<Shortage> {
        let damaged = lost_pages::any().then_some(&Shortage::FileDamaged);
        damaged.or(self.shortage.get()).or(self.shortage_of_contexts.get()).cloned()
    }

    /// Survives that pages of the file disappear; for one arena in a process.
    pub fn watch_for_lost_pages(&self) {
        lost_pages::watch(self.views.file_ranges());
    }

    /// While the guard lives, the agent sees one and the same view, so that what
    /// it writes to several words stays together.
    pub fn hold_view(&self) -> RwLockReadGuard<'_, ()> {
        // Recursive, since one such piece of work may be part of another.
        self.view.read_recursive()
    }

    /// From now on the program's writes do not reach the file; the agent's do.
    ///
    /// # Errors
    /// When the system refuses; then all goes on as before.
    pub fn detach_program(&self) -> io::Result<()> {
        self.switch_views(|file, bytes| self.views.detach_program(file, bytes))
    }

    /// While the program's writes do not reach the file: it sees zeros there from now on,
    /// until they do again. Nothing happens while they reach it.
    ///
    /// # Errors
    /// When the system refuses; then all goes on as before.
    pub fn hide_file(&self) -> io::Result<()> {
        self.switch_views(|_, bytes| {
            if self.views.is_detached() { self.views.hide_file(bytes) } else { Ok(()) }
        })
    }

    /// From now on the program's writes reach the file again.
    ///
    /// # Errors
    /// When the system refuses; then all goes on as before.
    pub fn attach_program(&self) -> io::Result<()> {
        self.switch_views(|file, bytes| {
            if self.views.is_detached() { self.views.attach_program(file, bytes) } else { Ok(()) }
        })
    }

    fn switch_views(
        &self,
        switch: impl FnOnce(&BackingFile, usize) -> io::Result<()>,
    ) -> io::Result<()> {
        if lost_pages::any() {
            return Err(io::Error::other("parts of the file were taken away"));
        }
        let _nobody_writes = self.view.write();
        let growth = self.growth.lock();
        let bytes = layout::ARENA_OFFSET as u64 + self.committed.load(Ordering::Acquire);
        switch(&growth.file, bytes as usize)
    }

    /// Body of the growth thread: keeps one piece of committed memory ahead
    /// of the program, so that its threads seldom wait for the disk.
    pub fn grow_ahead(&self) {
        let mut growth = self.growth.lock();
        loop {
            self.wanted.wait(&mut growth);
            if growth.closing || self.is_full() {
                return;
            }
            let used = self.next.load(Ordering::Relaxed) * 4;
            let committed = self.committed.load(Ordering::Acquire);
            if used + next_piece(committed) > committed && committed < self.capacity {
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
        let end = u64::from(index) + u64::from(words);
        end * 4 <= self.committed.load(Ordering::Acquire)
            || (index >= self.overflow && end <= self.end_of_overflow())
    }

    fn address(&self, index: u32) -> *mut u8 {
        self.views.at(layout::ARENA_OFFSET + index as usize * 4)
    }

    fn grow_to(&self, end_bytes: u64) -> bool {
        let mut growth = self.growth.lock();
        while self.committed.load(Ordering::Acquire) < end_bytes {
            if self.is_full() || !self.commit(&mut growth, end_bytes) {
                return false;
            }
        }
        true
    }

    /// Commits at least up to `end_bytes`; pieces grow with the file.
    fn commit(&self, growth: &mut Growth, end_bytes: u64) -> bool {
        let from = self.committed.load(Ordering::Acquire);
        let much = end_bytes.max(from + next_piece(from));
        // What is left of a full disk may still be enough for what is needed now.
        let done =
            self.commit_to(growth, from, much.next_multiple_of(COMMIT_FIRST)).or_else(|_| {
                self.commit_to(
                    growth,
                    from,
                    end_bytes.max(from + COMMIT_LEAST).next_multiple_of(PAGE),
                )
            });
        if let Err(error) = &done {
            self.end_with(Shortage::Disk(error.to_string()));
        }
        done.is_ok()
    }

    fn commit_to(&self, growth: &Growth, from: u64, to: u64) -> io::Result<()> {
        let to = to.min(self.capacity);
        let start = layout::ARENA_OFFSET as u64 + from;
        // Allocated again, what was taken away would read as zeros for ever after.
        if growth.file.length().is_some_and(|length| length < start) {
            lost_pages::note_truncation();
            return Err(io::Error::other("parts of the file were taken away"));
        }
        let shown = growth
            .file
            .allocate(start, to - from)
            .and_then(|()| self.views.show(&growth.file, start as usize, (to - from) as usize));
        if let Err(error) = shown {
            growth.file.shorten(start);
            return Err(error);
        }
        self.committed.store(to, Ordering::Release);
        self.header_long(layout::header::COMMITTED).store(to, Ordering::Release);
        Ok(())
    }

    fn map_first(&self) -> io::Result<()> {
        let header = layout::ARENA_OFFSET as u64;
        let mut growth = self.growth.lock();
        growth.file.allocate(0, header)?;
        self.views.show(&growth.file, 0, header as usize)?;
        if self.commit(&mut growth, COMMIT_FIRST) {
            return Ok(());
        }
        let reason = self.shortage().map_or(String::new(), |shortage| shortage.to_string());
        Err(io::Error::other(reason))
    }
}

/// How much to commit behind so many bytes: little enough that a small
/// profile stays small, enough that a large one seldom has to.
fn next_piece(committed: u64) -> u64 {
    (committed / 16).clamp(COMMIT_FIRST, COMMIT_MAX)
}

#[cfg(test)]
mod tests;

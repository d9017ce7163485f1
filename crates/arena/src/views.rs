//! Where the file appears in the address space: once for the program, once
//! for the agent.
//!
//! While recording is on, both views show the file, and the agent uses the
//! program's, whose pages are present already. When recording is switched off,
//! the program's view becomes private in one step: frames that still execute
//! probes write into pages of their own, and what was recorded stays. The
//! agent goes on in its own view.

use std::io;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use profile::layout;

use super::file::BackingFile;
use super::lost_pages;

/// Address range asked for first, in bytes for each view; halved until the
/// system agrees. 16 GB is what 32-bit word indices reach.
const RESERVE: usize = 1 << 34;
/// The least range that is worth a recording.
const RESERVE_MIN: usize = 1 << 26;
/// Largest overflow: enough for millions of methods, and no memory until it is
/// touched.
const OVERFLOW_MAX: usize = 1 << 27;
/// At how many boundaries of 16 GB the reservation is tried.
const BOUNDARIES_TRIED: usize = 8;
/// How much of the file the program finds in memory when its view shows it again.
const POPULATED_AT_ONCE: usize = 64 << 20;
/// Where the address space is limited (`ulimit -v`), the share of it that the
/// views may take together: the JVM asks for its heap after the agent.
const SHARE_OF_LIMIT: u64 = 8;

/// Both views. They are reserved once and never move, so instrumented code
/// may keep addresses in the program's view, if they are never dropped.
#[derive(Debug)]
pub struct Views {
    /// Start of the program's view: the header page.
    program: NonNull<u8>,
    /// Start of the agent's own view.
    own: NonNull<u8>,
    /// The one that the agent uses now.
    current: AtomicPtr<u8>,
    /// Bytes of file that a view can show, header included.
    file_bytes: usize,
    /// Bytes of memory outside the file, behind the program's view of it.
    overflow_bytes: usize,
}

impl Views {
    /// Reserves address space and gives memory to the overflow.
    ///
    /// # Errors
    /// If the address space is too small, or there is no memory for the overflow.
    pub fn reserve() -> io::Result<Self> {
        let mut bytes = match address_space_limit() {
            Some(limit) => usize::try_from(limit / SHARE_OF_LIMIT / 2).unwrap_or(RESERVE),
            None => RESERVE,
        };
        bytes = bytes.min(RESERVE);
        loop {
            // So that a quarter of it still is a number of pages.
            bytes &= !0xffff;
            if bytes < RESERVE_MIN {
                return Err(io::Error::other("the address space is too small (ulimit -v)"));
            }
            match Self::of_size(bytes) {
                Ok(views) => return Ok(views),
                Err(_) => bytes /= 2,
            }
        }
    }

    fn of_size(bytes: usize) -> io::Result<Self> {
        let overflow_bytes = (bytes / 4).min(OVERFLOW_MAX);
        let file_bytes = bytes - overflow_bytes;
        let program = reserve_aligned(bytes + file_bytes)?;
        // SAFETY: the reservation is `bytes + file_bytes` long.
        let own = unsafe { program.add(bytes) };
        let current = AtomicPtr::new(program.as_ptr());
        let views = Self { program, own, current, file_bytes, overflow_bytes };
        views.map_overflow().map(|()| views)
    }

    /// Bytes of the reservation: both views, and the overflow behind the program's.
    fn reserved(&self) -> usize {
        2 * self.file_bytes + self.overflow_bytes
    }

    /// Bytes of file that a view can show, header included.
    pub fn file_bytes(&self) -> usize {
        self.file_bytes
    }

    /// Bytes of the overflow.
    pub fn overflow_bytes(&self) -> usize {
        self.overflow_bytes
    }

    /// Address of the program's view.
    pub fn program(&self) -> NonNull<u8> {
        self.program
    }

    /// The view that the agent uses now; of the overflow there is only one.
    pub fn at(&self, offset: usize) -> *mut u8 {
        assert!(offset < self.file_bytes + self.overflow_bytes);
        let view = if offset < self.file_bytes {
            self.current.load(Ordering::Acquire)
        } else {
            self.program.as_ptr()
        };
        // SAFETY: the offset lies in the reservation.
        unsafe { view.add(offset) }
    }

    /// Shows one more piece of the file in both views.
    ///
    /// # Errors
    /// If the piece cannot be mapped.
    pub fn show(&self, file: &BackingFile, offset: usize, bytes: usize) -> io::Result<()> {
        let program_has_own_pages = self.is_detached();
        self.map(self.own, file, offset, bytes, libc::MAP_SHARED)?;
        let sharing = if program_has_own_pages { libc::MAP_PRIVATE } else { libc::MAP_SHARED };
        self.map(self.program, file, offset, bytes, sharing)?;
        if !program_has_own_pages {
            // Take the page faults here instead of in the program's threads. Kernels
            // before 5.14 do not know the request; then the program takes them.
            // SAFETY: the range was mapped by the call above.
            unsafe {
                let at = self.program.add(offset).as_ptr().cast();
                libc::madvise(at, bytes, MADV_POPULATE_WRITE)
            };
        }
        Ok(())
    }

    /// True while the program's writes do not reach the file.
    pub fn is_detached(&self) -> bool {
        self.current.load(Ordering::Acquire) == self.own.as_ptr()
    }

    /// From now on the program's writes go to pages of its own. `bytes` of the
    /// file have been shown.
    ///
    /// # Errors
    /// If the file cannot be mapped again; then nothing has changed.
    pub fn detach_program(&self, file: &BackingFile, bytes: usize) -> io::Result<()> {
        self.replace_program_view(Some(file), bytes, libc::MAP_PRIVATE)?;
        self.current.store(self.own.as_ptr(), Ordering::Release);
        Ok(())
    }

    /// From now on the program's writes go to the file again, and what it wrote
    /// in between is gone.
    ///
    /// # Errors
    /// If the file cannot be mapped again; then nothing has changed.
    pub fn attach_program(&self, file: &BackingFile, bytes: usize) -> io::Result<()> {
        self.replace_program_view(Some(file), bytes, libc::MAP_SHARED)?;
        self.current.store(self.program.as_ptr(), Ordering::Release);
        Ok(())
    }

    /// From now on the program, whose writes go to pages of its own already, sees zeros
    /// instead of the file.
    ///
    /// # Errors
    /// If there is no memory for it; then nothing has changed.
    pub fn hide_file(&self, bytes: usize) -> io::Result<()> {
        self.replace_program_view(None, bytes, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS)
    }

    /// Maps elsewhere first and moves the result, because a mapping that fails
    /// half-way would leave a hole under the feet of the program.
    fn replace_program_view(
        &self,
        file: Option<&BackingFile>,
        bytes: usize,
        sharing: libc::c_int,
    ) -> io::Result<()> {
        // SAFETY: a new mapping, placed by the kernel, of a file that is open or of none; then
        // it takes the place of a mapping of the same file in our reservation.
        unsafe {
            let at = libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                sharing | libc::MAP_NORESERVE,
                file.map_or(-1, BackingFile::as_raw_fd),
                0,
            );
            if at == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            if sharing == libc::MAP_SHARED {
                // All threads of the program would meet page faults at once, and wait for
                // the file system's journal. Kernels before 5.14 do not know the request.
                libc::madvise(at, bytes.min(POPULATED_AT_ONCE), MADV_POPULATE_WRITE);
            }
            let moved = libc::mremap(
                at,
                bytes,
                bytes,
                libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED,
                self.program.as_ptr(),
            );
            if moved == libc::MAP_FAILED {
                let error = io::Error::last_os_error();
                libc::munmap(at, bytes);
                return Err(error);
            }
        }
        Ok(())
    }

    fn map(
        &self,
        view: NonNull<u8>,
        file: &BackingFile,
        offset: usize,
        bytes: usize,
        sharing: libc::c_int,
    ) -> io::Result<()> {
        // SAFETY: the target range lies inside our own reservation, where nobody
        // holds references yet: it is published only after this call.
        let at = unsafe {
            libc::mmap(
                view.add(offset).as_ptr().cast(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                sharing | libc::MAP_NORESERVE | libc::MAP_FIXED,
                file.as_raw_fd(),
                offset as libc::off_t,
            )
        };
        if at == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    fn map_overflow(&self) -> io::Result<()> {
        // SAFETY: the overflow's range is part of our own reservation and not in use.
        let at = unsafe {
            libc::mmap(
                self.program.add(self.file_bytes).as_ptr().cast(),
                self.overflow_bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if at == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Address ranges in which pages of the file may appear.
    pub fn file_ranges(&self) -> [std::ops::Range<usize>; 2] {
        [self.program, self.own].map(|view| {
            let start = view.as_ptr() as usize;
            start..start + self.file_bytes
        })
    }
}

/// The arena of a recording is never dropped, since instrumented code keeps its address. What
/// is dropped is one that came to nothing: an attempt to record that fails gives back the
/// addresses, of which there are not endlessly many.
impl Drop for Views {
    fn drop(&mut self) {
        lost_pages::forget(self.file_ranges());
        // SAFETY: the whole of a reservation of ours. Words in it are reached through the arena
        // only, which borrows them out for as long as it lives, and its address is given to
        // nobody before the arena is made to live as long as the process.
        unsafe { libc::munmap(self.program.as_ptr().cast(), self.reserved()) };
    }
}

/// Reserves so many bytes so that word 0 lies on a boundary of 16 GB, if one near by is free:
/// then the lower half of an address, in words, is the index of the word.
fn reserve_aligned(bytes: usize) -> io::Result<NonNull<u8>> {
    let anywhere = reserve(std::ptr::null_mut(), bytes)?;
    let highest = (anywhere.as_ptr() as usize + layout::ARENA_OFFSET) & !(RESERVE - 1);
    for below in 0..BOUNDARIES_TRIED {
        let start = highest.saturating_sub(below * RESERVE).saturating_sub(layout::ARENA_OFFSET);
        let Ok(found) = reserve(start as *mut libc::c_void, bytes) else { continue };
        // Kernels before 4.17 take the address for a wish.
        let is_aligned = found.as_ptr() as usize == start;
        let other = if is_aligned { anywhere } else { found };
        // SAFETY: one of the two reservations, which nobody else knows.
        unsafe { libc::munmap(other.as_ptr().cast(), bytes) };
        return Ok(if is_aligned { found } else { anywhere });
    }
    Ok(anywhere)
}

/// Reserves addresses without access, at an address or where the kernel likes.
fn reserve(at: *mut libc::c_void, bytes: usize) -> io::Result<NonNull<u8>> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let fixed = if at.is_null() { 0 } else { libc::MAP_FIXED_NOREPLACE };
    // SAFETY: a fresh private mapping, which replaces none.
    let at = unsafe { libc::mmap(at, bytes, libc::PROT_NONE, flags | fixed, -1, 0) };
    match NonNull::new(at.cast::<u8>()) {
        Some(start) if at.cast() != libc::MAP_FAILED => Ok(start),
        _ => Err(io::Error::last_os_error()),
    }
}

// SAFETY: the mappings live as long as the views; all else is atomic.
unsafe impl Sync for Views {}
// SAFETY: nothing in it is bound to the thread that made it.
unsafe impl Send for Views {}

/// Not yet in every libc crate: prefault pages for writing.
const MADV_POPULATE_WRITE: libc::c_int = 23;

const _: () = assert!(RESERVE_MIN / 4 > layout::ARENA_OFFSET);

/// Address of so many bytes of memory beside the file, which are 0, take no memory
/// until they are written, and stay until the process ends; `None` if the system
/// does not agree.
pub fn memory_beside(bytes: usize) -> Option<u64> {
    if address_space_limit().is_some_and(|limit| bytes as u64 > limit / SHARE_OF_LIMIT) {
        return None;
    }
    // SAFETY: a fresh private mapping, placed by the kernel.
    let at = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    (at != libc::MAP_FAILED).then_some(at as u64)
}

/// Returns `count` words of such memory, of which few are used: the system never gives more
/// than a small page for one that is written.
pub fn scattered_words_beside(count: usize) -> Option<&'static [AtomicU64]> {
    let bytes = count * size_of::<AtomicU64>();
    let at = memory_beside(bytes)?;
    // SAFETY: it is the whole of a mapping; this changes only how it gets pages. Where the
    // system knows no large pages, it refuses.
    unsafe { libc::madvise(at as *mut libc::c_void, bytes, libc::MADV_NOHUGEPAGE) };
    // SAFETY: the mapping is that large, page-aligned and never unmapped, all zeros
    // are words, and nobody has it but through what is returned here.
    Some(unsafe { std::slice::from_raw_parts(at as *const AtomicU64, count) })
}

/// Returns `count` words of such memory.
pub fn words_beside(count: usize) -> Option<&'static [AtomicU32]> {
    let at = memory_beside(count * size_of::<AtomicU32>())?;
    // SAFETY: the mapping is that large, page-aligned and never unmapped, all zeros
    // are words, and nobody has it but through what is returned here.
    Some(unsafe { std::slice::from_raw_parts(at as *const AtomicU32, count) })
}

/// Bytes of addresses that all such memory together may take. Where the system limits them the
/// program needs most of what there is; else a process has 47 bits of them, and a quarter is
/// more than any program takes.
pub fn addresses_beside() -> u64 {
    address_space_limit().map_or(3 << 45, |limit| limit / SHARE_OF_LIMIT)
}

/// Sets words of such memory to 0 and gives their pages back to the system; they take some
/// again when they are written. Only whole pages, or nothing changes.
pub fn forget_words(words: &'static [AtomicU32]) {
    // SAFETY: private memory of ours without a file, which stays mapped and then reads as
    // zeros: holders of the words see that as if zeros were stored. The system refuses an
    // address that is not a page's.
    unsafe {
        let at = words.as_ptr().cast_mut().cast();
        libc::madvise(at, size_of_val(words), libc::MADV_DONTNEED);
    }
}

/// `ulimit -v` in bytes, if there is one.
fn address_space_limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a place for the result.
    let code = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    (code == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

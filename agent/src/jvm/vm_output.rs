//! Leaves out lines that the JVM would print because of the agent.
//!
//! When HotSpot parses a method for which its compilers have an intrinsic, and the
//! method lacks the annotation that allows it, as it does after the agent has taken
//! it away, it prints `Compiler intrinsic is defined for method [...]`. The check
//! behind that line (`CheckIntrinsics`) must stay on, or the compilers use the
//! intrinsic all the same, and no flag silences the line alone: what silences the
//! JVM (`DisplayVMOutput`) also swallows thread dumps, which may be asked for at any
//! time.
//!
//! All that HotSpot prints goes through `write` of the C library. The address of
//! that function stands in the table of functions that `libjvm.so` imports (System V
//! ABI, "Global Offset Table"). A function of the agent's takes the place there: it
//! drops the lines about intrinsics and passes everything else on.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

/// How the lines begin that are left out.
const LINE: &[u8] = b"Compiler intrinsic is defined for method [";

/// Has the JVM print no lines about intrinsics from now on; false if it does not
/// import `write` in the way that is known.
pub fn leave_out_lines_about_intrinsics() -> bool {
    static TAKEN: OnceLock<bool> = OnceLock::new();
    *TAKEN.get_or_init(|| {
        let mut taken = false;
        // SAFETY: the callback is called before this returns, with `taken` behind the
        // pointer.
        unsafe { libc::dl_iterate_phdr(Some(take_place), (&raw mut taken).cast()) };
        taken
    })
}

/// Threads, by their numbers, that have begun such a line, and write its end next.
/// (Variables of threads may take memory when they are first used, and the JVM
/// writes in signal handlers, too.)
static ENDS_LINE: [AtomicI32; 64] = [const { AtomicI32::new(0) }; 64];

/// In the place of `write`, for the code of `libjvm.so` alone. It stays there until the process
/// ends, and so does the library of the agent: HotSpot closes only a library without the
/// functions of an agent.
///
/// # Safety
/// The bytes can be read.
unsafe extern "C" fn write(file: c_int, bytes: *const c_void, count: usize) -> isize {
    if (count == 1 || count > LINE.len()) && !bytes.is_null() {
        // SAFETY: `write` itself would refuse bytes that cannot be read; here they would be
        // the end of the process. HotSpot's code hands over none: it writes what it has
        // formatted or collected in buffers of its own. What programs write, and addresses
        // that they choose, go through libjava.so, libnio.so and their like, which import
        // `write` themselves, and there nothing takes its place.
        let text = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), count) };
        if (text == b"\n" || text.starts_with(LINE)) && is_left_out(text) {
            return count as isize;
        }
    }
    // SAFETY: the caller's arguments.
    unsafe { libc::write(file, bytes, count) }
}

fn is_left_out(text: &[u8]) -> bool {
    // SAFETY: has no arguments and cannot fail.
    let thread = unsafe { libc::gettid() };
    let ends_line = &ENDS_LINE[thread as usize % ENDS_LINE.len()];
    if text == b"\n" {
        return ends_line.compare_exchange(thread, 0, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    }
    if text.last() != Some(&b'\n') {
        ends_line.store(thread, Ordering::Relaxed);
    }
    true
}

/// An entry of the dynamic section (`Elf64_Dyn`).
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: u64,
}

/// A relocation with an addend (`Elf64_Rela`).
#[repr(C)]
struct Relocation {
    offset: u64,
    info: u64,
    addend: i64,
}

/// A symbol (`Elf64_Sym`).
#[repr(C)]
struct Symbol {
    name: u32,
    info: u8,
    other: u8,
    section: u16,
    value: u64,
    size: u64,
}

// Tags of the dynamic section (System V ABI, figure 5-10).
const END: i64 = 0;
const SIZE_OF_PLT_RELOCATIONS: i64 = 2;
const STRINGS: i64 = 5;
const SYMBOLS: i64 = 6;
const RELOCATIONS: i64 = 7;
const SIZE_OF_RELOCATIONS: i64 = 8;
const PLT_RELOCATIONS: i64 = 23;

/// For each loaded library; takes the place of `write` in the JVM's, and ends the
/// iteration then.
unsafe extern "C" fn take_place(
    library: *mut libc::dl_phdr_info,
    _size: usize,
    taken: *mut c_void,
) -> c_int {
    // SAFETY: the dynamic linker's description of a loaded library, whose name, if it
    // has one, ends with a zero byte, and whose headers and dynamic section stay
    // mapped; `taken` is what `leave_out_lines_about_intrinsics` passed.
    unsafe {
        let library = &*library;
        if library.dlpi_name.is_null()
            || !CStr::from_ptr(library.dlpi_name).to_bytes().ends_with(b"/libjvm.so")
        {
            return 0;
        }
        let headers = std::slice::from_raw_parts(library.dlpi_phdr, library.dlpi_phnum.into());
        let of_kind = |kind| headers.iter().find(|header| header.p_type == kind);
        let base = library.dlpi_addr;
        let section = of_kind(libc::PT_DYNAMIC).map(|header| base + header.p_vaddr);
        let place = section.and_then(|at| place_of_write(base, at as *const Dynamic));
        *taken.cast::<bool>() = place.is_some_and(|place| replace(place));
        1
    }
}

/// Where the library at `base` keeps the address of `write`.
///
/// # Safety
/// `dynamic` is the dynamic section of a library that is loaded at `base`.
unsafe fn place_of_write(base: u64, mut dynamic: *const Dynamic) -> Option<*mut *mut c_void> {
    let (mut strings, mut symbols) = (None, None);
    let mut tables = [(None, 0), (None, 0)];
    // Some dynamic linkers write addresses over the offsets, others do not.
    let address = |value: u64| Some(if value < base { base + value } else { value });
    // SAFETY: by contract; the section has an end, and says where the tables are and
    // how large.
    unsafe {
        while (*dynamic).tag != END {
            let Dynamic { tag, value } = *dynamic;
            match tag {
                STRINGS => strings = address(value),
                SYMBOLS => symbols = address(value),
                PLT_RELOCATIONS => tables[0].0 = address(value),
                SIZE_OF_PLT_RELOCATIONS => tables[0].1 = value,
                RELOCATIONS => tables[1].0 = address(value),
                SIZE_OF_RELOCATIONS => tables[1].1 = value,
                _ => {}
            }
            dynamic = dynamic.add(1);
        }
        let (strings, symbols) = (strings? as *const c_char, symbols? as *const Symbol);
        for (table, bytes) in tables {
            let Some(table) = table else { continue };
            let count = bytes as usize / size_of::<Relocation>();
            for relocation in std::slice::from_raw_parts(table as *const Relocation, count) {
                let symbol = (relocation.info >> 32) as usize;
                if symbol == 0 || relocation.addend != 0 {
                    continue;
                }
                let name = CStr::from_ptr(strings.add((*symbols.add(symbol)).name as usize));
                if name == c"write" {
                    return Some((base + relocation.offset) as *mut *mut c_void);
                }
            }
        }
    }
    None
}

/// Puts our function into the place; false if the system refuses. The page is as
/// writable afterwards as it was before: read-only if the dynamic linker has made it so,
/// writable if another agent puts functions of its own there, and takes them back later.
///
/// # Safety
/// `place` is aligned, mapped, and holds the address of a function.
unsafe fn replace(place: *mut *mut c_void) -> bool {
    let Ok(mappings) = fs::read_to_string("/proc/self/maps") else { return false };
    let Some(is_writable) = is_writable(&mappings, place as u64) else { return false };
    // SAFETY: plain system calls on the page of the place; the threads of the JVM read
    // the place meanwhile, and find one function or the other.
    unsafe {
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let start = (place as usize & !(page - 1)) as *mut c_void;
        if !is_writable && libc::mprotect(start, page, libc::PROT_READ | libc::PROT_WRITE) != 0 {
            return false;
        }
        AtomicPtr::from_ptr(place).store(write as *mut c_void, Ordering::Release);
        if !is_writable {
            libc::mprotect(start, page, libc::PROT_READ);
        }
    }
    true
}

/// Whether the mapping with an address is writable; `None` if there is none. `mappings`
/// are lines that begin with `START-END PERMISSIONS` (proc(5), `/proc/pid/maps`).
pub fn is_writable(mappings: &str, address: u64) -> Option<bool> {
    mappings.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let bound = |text| u64::from_str_radix(text, 16).ok();
        let is_inside = (bound(start)?..bound(end)?).contains(&address);
        is_inside.then(|| rest.as_bytes().get(1) == Some(&b'w'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_was_writable_stays_so() {
        let mut on_stack = 0_u64;
        let place = (&raw mut on_stack).cast::<*mut c_void>();
        let mappings = || fs::read_to_string("/proc/self/maps").unwrap();
        assert_eq!(is_writable(&mappings(), place as u64), Some(true));
        // SAFETY: a variable of this function's, as large as an address.
        assert!(unsafe { replace(place) });
        assert_eq!(on_stack, write as *mut c_void as u64);
        assert_eq!(is_writable(&mappings(), place as u64), Some(true));
        assert_eq!(is_writable(&mappings(), write as *mut c_void as u64), Some(false));
        assert_eq!(is_writable(&mappings(), 8), None);
    }

    #[test]
    fn only_lines_about_intrinsics_are_left_out() {
        let line = b"Compiler intrinsic is defined for method [a], but the method is not";
        assert!(is_left_out(line));
        assert!(is_left_out(b"\n"), "the end of that line");
        assert!(!is_left_out(b"\n"), "the end of another one");
    }
}

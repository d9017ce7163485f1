//! HotSpot's flags, read and written in place.
//!
//! Exact counts need that compiled code executes the bytecodes it was given,
//! and speed needs that the compilers accept larger methods. Users should not
//! have to pass a dozen flags for that, so the agent writes them itself, in
//! `Agent_OnLoad`, before the compilers read them. HotSpot exports a
//! description of its own structures for the serviceability agent
//! (`gHotSpotVMStructs`); it tells where the flags lie in every release.

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

use parking_lot::Mutex;

/// One entry of `gHotSpotVMStructs`, as laid out by `VMStructEntry` in HotSpot.
#[repr(C)]
struct StructEntry {
    type_name: *const c_char,
    field_name: *const c_char,
    type_string: *const c_char,
    is_static: i32,
    offset: u64,
    address: *mut c_void,
}

/// Where a flag's value lies.
#[derive(Debug, Clone, Copy)]
struct Place(*mut c_void);

// SAFETY: flags are static variables of the JVM; ours are read by the JVM as
// plain memory at any time, by its own rules for manageable flags.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

/// The table of flags of this JVM.
struct Table {
    flags: *const u8,
    count: usize,
    size: usize,
    name_offset: usize,
    address_offset: usize,
}

/// A reading of `gHotSpotVMStructs`; `None` if this is not HotSpot.
fn table() -> Option<Table> {
    let structs = symbol(c"gHotSpotVMStructs")?.cast::<*const StructEntry>();
    let (mut flags, mut count, mut name_offset, mut address_offset) = (None, None, None, None);
    // SAFETY: HotSpot exports the array, its last entry has a null type name; the
    // static entries point at variables of the types that the entries say.
    unsafe {
        let mut entry = *structs;
        while !(*entry).type_name.is_null() {
            if CStr::from_ptr((*entry).type_name) == c"JVMFlag" {
                match CStr::from_ptr((*entry).field_name).to_bytes() {
                    b"flags" => flags = Some(*(*entry).address.cast::<*const u8>()),
                    b"numFlags" => count = Some(*(*entry).address.cast::<usize>()),
                    b"_name" => name_offset = Some((*entry).offset as usize),
                    b"_addr" => address_offset = Some((*entry).offset as usize),
                    _ => {}
                }
            }
            entry = entry.add(1);
        }
    }
    Some(Table {
        flags: flags?,
        count: count?,
        size: flag_size()?,
        name_offset: name_offset?,
        address_offset: address_offset?,
    })
}

/// One entry of `gHotSpotVMTypes`, as laid out by `VMTypeEntry` in HotSpot.
#[repr(C)]
struct TypeEntry {
    type_name: *const c_char,
    superclass_name: *const c_char,
    is_oop_type: i32,
    is_integer_type: i32,
    is_unsigned: i32,
    size: u64,
}

fn flag_size() -> Option<usize> {
    let types = symbol(c"gHotSpotVMTypes")?.cast::<*const TypeEntry>();
    // SAFETY: as for the structures: the last entry has a null name.
    unsafe {
        let mut entry = *types;
        while !(*entry).type_name.is_null() {
            if CStr::from_ptr((*entry).type_name) == c"JVMFlag" {
                return Some((*entry).size as usize);
            }
            entry = entry.add(1);
        }
    }
    None
}

fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: looks the name up among the libraries of this process.
    let at = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    if !at.is_null() {
        return Some(at);
    }
    // The launcher opens libjvm.so for itself only; ask that library by name.
    // SAFETY: RTLD_NOLOAD finds it without loading anything.
    unsafe {
        let library = libc::dlopen(c"libjvm.so".as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if library.is_null() {
            return None;
        }
        let at = libc::dlsym(library, name.as_ptr());
        (!at.is_null()).then_some(at)
    }
}

fn place_of(name: &str) -> Option<Place> {
    let table = table()?;
    (0..table.count).find_map(|index| {
        // SAFETY: the entry lies in the table; its name, if not null, ends with a
        // zero byte.
        unsafe {
            let flag = table.flags.add(index * table.size);
            let flag_name = *flag.add(table.name_offset).cast::<*const c_char>();
            let found =
                !flag_name.is_null() && CStr::from_ptr(flag_name).to_bytes() == name.as_bytes();
            found.then(|| Place(*flag.add(table.address_offset).cast::<*mut c_void>()))
        }
    })
}

fn set_bool(name: &str, value: bool) -> bool {
    place_of(name).is_some_and(|place| {
        // SAFETY: `name` is a flag of type bool.
        unsafe { place.0.cast::<bool>().write_volatile(value) };
        true
    })
}

fn raise_int(name: &str, least: isize) {
    if let Some(place) = place_of(name) {
        let at = place.0.cast::<isize>();
        // SAFETY: `name` is a flag of type intx, which is as wide as a pointer.
        unsafe {
            if at.read_volatile() < least {
                at.write_volatile(least);
            }
        }
    }
}

/// Sets what exact counts need. False if this JVM keeps its flags elsewhere,
/// so that counts may depend on compilation.
pub fn keep_counts_exact() -> bool {
    // A method with an intrinsic but without the annotation keeps its bytecodes
    // only while this check is on.
    set_bool("CheckIntrinsics", true)
        // Optimised away together with the counts of the methods they would call.
        && [("OptimizeStringConcat", false), ("EliminateAutoBox", false)]
            .iter()
            // Flags of the second compiler; a JVM without it does not have them.
            .all(|&(name, value)| set_bool(name, value) || !has_second_compiler())
        // Thrown without running the exception's constructor.
        && set_bool("OmitStackTraceInFastThrow", false)
}

fn has_second_compiler() -> bool {
    place_of("MaxInlineSize").is_some()
}

/// Lets the compilers accept methods that grew by their probes.
///
/// No more than that: with higher limits, methods are not faster in the end,
/// and compiling them takes so long that the program runs interpreted code
/// meanwhile.
pub fn make_room_for_probes() {
    set_bool("DontCompileHugeMethods", false);
    // What is trivial stays so with the probe of a leaf in it.
    raise_int("MaxTrivialSize", 16);
    raise_int("C1MaxTrivialSize", 16);
    raise_int("FreqInlineSize", 500);
}

/// How many hold the JVM's output back, see [`hold_vm_output`].
static HOLDERS: Mutex<u32> = Mutex::new(0);

/// Keeps the JVM from printing on its own output until [`release_vm_output`]
/// was called as often: it would print a line for every method that lost its
/// intrinsic while a class is parsed.
pub fn hold_vm_output() {
    let mut holders = HOLDERS.lock();
    *holders += 1;
    if *holders == 1 {
        set_vm_output(false);
    }
}

/// Ends one [`hold_vm_output`].
pub fn release_vm_output() {
    let mut holders = HOLDERS.lock();
    *holders = holders.saturating_sub(1);
    if *holders == 0 {
        set_vm_output(true);
    }
}

fn set_vm_output(on: bool) {
    static DISPLAY: OnceLock<Option<Place>> = OnceLock::new();
    if let Some(place) = DISPLAY.get_or_init(|| place_of("DisplayVMOutput")) {
        // SAFETY: the flag is of type bool.
        unsafe { place.0.cast::<bool>().write_volatile(on) };
    }
}

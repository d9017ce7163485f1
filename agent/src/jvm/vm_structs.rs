//! What HotSpot says of itself: it exports a description of its structures for
//! the serviceability agent (`gHotSpotVMStructs`), which tells where flags and
//! arguments lie in every release.

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

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
pub struct Place(pub *mut c_void);

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

// SAFETY: the table is a static array of the JVM that never changes; only the
// values that it points to do.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

/// An entry of `gHotSpotVMStructs`; `None` if there is none, or if this is not
/// HotSpot.
fn entry(type_name: &CStr, field_name: &CStr) -> Option<&'static StructEntry> {
    let structs = symbol(c"gHotSpotVMStructs")?.cast::<*const StructEntry>();
    // SAFETY: HotSpot exports the array; its last entry has a null type name.
    unsafe {
        let mut entry = *structs;
        while !(*entry).type_name.is_null() {
            if CStr::from_ptr((*entry).type_name) == type_name
                && CStr::from_ptr((*entry).field_name) == field_name
            {
                return Some(&*entry);
            }
            entry = entry.add(1);
        }
    }
    None
}

/// Where the flags are; looked up once.
fn table() -> Option<&'static Table> {
    static TABLE: OnceLock<Option<Table>> = OnceLock::new();
    TABLE.get_or_init(find_table).as_ref()
}

fn find_table() -> Option<Table> {
    let field = |name| entry(c"JVMFlag", name);
    // SAFETY: static entries point at variables of the types that they say.
    unsafe {
        Some(Table {
            flags: *field(c"flags")?.address.cast::<*const u8>(),
            count: *field(c"numFlags")?.address.cast::<usize>(),
            size: flag_size()?,
            name_offset: field(c"_name")?.offset as usize,
            address_offset: field(c"_addr")?.offset as usize,
        })
    }
}

/// True if this JVM describes itself at all, as HotSpot does.
pub fn is_described() -> bool {
    symbol(c"gHotSpotVMStructs").is_some()
}

/// What has to be in the descriptions for everything here to work.
const FIELDS: [(&CStr, &CStr); 6] = [
    (c"JVMFlag", c"flags"),
    (c"JVMFlag", c"numFlags"),
    (c"JVMFlag", c"_name"),
    (c"JVMFlag", c"_addr"),
    (c"Arguments", c"_num_jvm_args"),
    (c"Arguments", c"_jvm_args_array"),
];

/// Those of them that this JVM does not describe.
pub fn missing_descriptions() -> Vec<String> {
    let missing = FIELDS.iter().filter(|(type_name, field)| entry(type_name, field).is_none());
    let mut missing: Vec<String> = missing
        .map(|(type_name, field)| {
            format!("field {}.{}", type_name.to_string_lossy(), field.to_string_lossy())
        })
        .collect();
    if flag_size().is_none() {
        missing.push("type JVMFlag".to_owned());
    }
    missing
}

/// The JVM's own arguments, those from the environment included.
pub fn jvm_arguments() -> Vec<&'static CStr> {
    let field = |name| entry(c"Arguments", name);
    let (Some(count), Some(array)) = (field(c"_num_jvm_args"), field(c"_jvm_args_array")) else {
        return Vec::new();
    };
    // SAFETY: static entries point at variables of the types that they say, and
    // the strings live as long as the JVM.
    unsafe {
        let count = *count.address.cast::<i32>();
        let array = *array.address.cast::<*const *const c_char>();
        (0..usize::try_from(count).unwrap_or(0))
            .map(|index| CStr::from_ptr(*array.add(index)))
            .collect()
    }
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

/// Where the flag of this name is, if there is one.
pub fn place_of(name: &str) -> Option<Place> {
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

//! What HotSpot says of itself: where its flags lie, of which types they are, and which
//! arguments it was given. [`vm_tables`] reads its descriptions.
//!
//! [`vm_tables`]: super::vm_tables

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

use super::vm_tables::{Field, Tables};

/// A flag of type bool.
#[derive(Debug, Clone, Copy)]
pub struct BoolFlag(*mut bool);

/// A flag that is a whole number.
#[derive(Debug, Clone, Copy)]
pub struct NumberFlag {
    at: *mut c_void,
    /// It takes eight bytes, not four.
    is_wide: bool,
}

/// A flag.
#[derive(Debug, Clone, Copy)]
pub enum Flag {
    /// It is on or off.
    Bool(BoolFlag),
    /// It is a whole number.
    Number(NumberFlag),
    /// It is something else, or HotSpot does not say what in a way that is known.
    Other,
}

// SAFETY: flags are static variables of the JVM; ours are read by the JVM as
// plain memory at any time, by its own rules for manageable flags.
unsafe impl Send for BoolFlag {}
// SAFETY: as above.
unsafe impl Sync for BoolFlag {}
// SAFETY: as above.
unsafe impl Send for NumberFlag {}
// SAFETY: as above.
unsafe impl Sync for NumberFlag {}

impl BoolFlag {
    /// Whether it is on.
    pub fn get(self) -> bool {
        // SAFETY: the JVM says that a bool is there, which takes one byte. Whatever is in it
        // but 0 is true, as for the JVM.
        unsafe { self.0.cast::<u8>().read_volatile() != 0 }
    }

    /// Switches it.
    pub fn set(self, value: bool) {
        // SAFETY: as in `get`.
        unsafe { self.0.write_volatile(value) };
    }
}

impl NumberFlag {
    /// Its value.
    pub fn get(self) -> i64 {
        // SAFETY: the JVM says that a number of this width is there.
        unsafe {
            match self.is_wide {
                true => self.at.cast::<i64>().read_volatile(),
                false => self.at.cast::<i32>().read_volatile().into(),
            }
        }
    }

    /// Gives it a value; the nearest one that it can have.
    pub fn set(self, value: i64) {
        let narrow = value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        // SAFETY: as in `get`: what lies behind a number of four bytes is not touched.
        unsafe {
            match self.is_wide {
                true => self.at.cast::<i64>().write_volatile(value),
                false => self.at.cast::<i32>().write_volatile(narrow),
            }
        }
    }
}

/// The table of flags.
#[derive(Debug)]
struct FlagTable {
    flags: *const u8,
    count: usize,
    size: usize,
    name_offset: usize,
    address_offset: usize,
    type_offset: usize,
}

// SAFETY: the table is a static array of the JVM that never changes; only the
// values that it points to do.
unsafe impl Send for FlagTable {}
// SAFETY: as above.
unsafe impl Sync for FlagTable {}

/// What has to be in the descriptions for everything here to work: the type, the field, its
/// own type, and whether it is static.
const FIELDS: [(&CStr, &CStr, &CStr, bool); 7] = [
    (c"JVMFlag", c"flags", c"JVMFlag*", true),
    (c"JVMFlag", c"numFlags", c"size_t", true),
    (c"JVMFlag", c"_name", c"const char*", false),
    (c"JVMFlag", c"_addr", c"void*", false),
    (c"JVMFlag", c"_type", c"int", false),
    (c"Arguments", c"_num_jvm_args", c"int", true),
    (c"Arguments", c"_jvm_args_array", c"char**", true),
];

/// Numbers of the types of flags (`JVMFlag::FlagType`), which HotSpot does not export: the
/// type, and its bytes where it is one that the agent reads or writes.
const TYPES: [(&CStr, Option<usize>); 9] = [
    (c"bool", Some(1)),
    (c"int", Some(4)),
    (c"uint", Some(4)),
    (c"intx", Some(8)),
    (c"uintx", Some(8)),
    (c"uint64_t", Some(8)),
    (c"size_t", Some(8)),
    (c"double", None),
    (c"ccstr", None),
];

/// Flags whose types do not change, from the first number to the last one that is known: by
/// them a release gives itself away that numbers types in another way.
const OF_KNOWN_TYPES: [(&CStr, &CStr); 4] = [
    (c"UseSerialGC", c"bool"),
    (c"MaxHeapSize", c"size_t"),
    (c"InitialRAMPercentage", c"double"),
    (c"ErrorFile", c"ccstr"),
];

impl FlagTable {
    /// The table of flags, as the descriptions have it.
    ///
    /// # Errors
    /// What is missing in them, or is not as it is known, each named.
    fn find(tables: &Tables) -> Result<Self, Vec<String>> {
        let described = |(type_name, name, its_type, is_static): &(&CStr, &CStr, &CStr, bool)| {
            let field = tables.field(type_name, name)?;
            let is_known = field.may_be(its_type)
                && field.is_static == *is_static
                && field.is_static != field.address.is_null();
            is_known.then_some(field)
        };
        let missing = FIELDS.iter().filter(|field| described(field).is_none());
        let mut missing: Vec<String> = missing
            .map(|(type_name, field, ..)| {
                format!("field {}.{}", type_name.to_string_lossy(), field.to_string_lossy())
            })
            .collect();
        let flag_size = tables.size_of(c"JVMFlag");
        if flag_size.is_none() {
            missing.push("type JVMFlag".to_owned());
        }
        for (name, bytes) in TYPES {
            let found = tables.size_of(name);
            // No flag that is used is of these.
            let may_be_absent = [c"uint", c"uint64_t"].contains(&name) && found.is_none();
            if bytes.is_some() && found != bytes && !may_be_absent {
                missing.push(format!("type {}", name.to_string_lossy()));
            }
        }
        if !missing.is_empty() {
            return Err(missing);
        }
        let field = |name: &CStr| tables.field(c"JVMFlag", name);
        let place = |name, bytes: usize| {
            let offset = field(name)?.offset;
            (offset.is_multiple_of(bytes) && offset + bytes <= flag_size?).then_some(offset)
        };
        let found = || {
            // SAFETY: static fields are variables of the types that HotSpot says, which are
            // those that are read here.
            let (flags, count) = unsafe {
                let read = |field: Field| field.address.cast::<usize>().read();
                (field(c"flags")?.address.cast::<*const u8>().read(), read(field(c"numFlags")?))
            };
            Some(Self {
                flags,
                count,
                size: flag_size?,
                name_offset: place(c"_name", 8)?,
                address_offset: place(c"_addr", 8)?,
                type_offset: place(c"_type", 4)?,
            })
        };
        let Some(table) = found() else { return Err(vec!["type JVMFlag".to_owned()]) };
        let is_of = |flag: &CStr, type_name: &CStr| {
            let found = table.place(flag).and_then(|(_, number)| TYPES.get(number));
            found.is_some_and(|(name, _)| *name == type_name)
        };
        match OF_KNOWN_TYPES.iter().find(|(flag, type_name)| !is_of(flag, type_name)) {
            None => Ok(table),
            Some((flag, type_name)) => Err(vec![format!(
                "flag {} of type {}",
                flag.to_string_lossy(),
                type_name.to_string_lossy()
            )]),
        }
    }

    /// Where the flag of this name is, and the number of its type.
    fn place(&self, name: &CStr) -> Option<(*mut c_void, usize)> {
        (0..self.count).find_map(|index| {
            // SAFETY: the entry lies in the table, and what is read in the entry; its name,
            // if not null, ends with a zero byte.
            unsafe {
                let flag = self.flags.add(index * self.size);
                let its_name = flag.add(self.name_offset).cast::<*const c_char>().read();
                if its_name.is_null() || CStr::from_ptr(its_name) != name {
                    return None;
                }
                let at = flag.add(self.address_offset).cast::<*mut c_void>().read();
                let number = flag.add(self.type_offset).cast::<i32>().read();
                Some((at, usize::try_from(number).unwrap_or(usize::MAX)))
            }
        })
    }

    fn flag(&self, name: &CStr) -> Option<Flag> {
        let (at, number) = self.place(name)?;
        let bytes = TYPES.get(number).and_then(|(_, bytes)| *bytes);
        Some(match bytes {
            Some(bytes) if at.is_null() || !at.addr().is_multiple_of(bytes) => Flag::Other,
            Some(1) => Flag::Bool(BoolFlag(at.cast())),
            Some(bytes) => Flag::Number(NumberFlag { at, is_wide: bytes == 8 }),
            None => Flag::Other,
        })
    }
}

/// HotSpot's descriptions; looked up once.
fn tables() -> Result<&'static Tables, &'static str> {
    static TABLES: OnceLock<Result<Tables, &str>> = OnceLock::new();
    // SAFETY: the symbols are those of the JVM.
    TABLES.get_or_init(|| unsafe { Tables::read(&symbol) }).as_ref().map_err(|missing| *missing)
}

/// Where the flags are; looked up once.
fn flag_table() -> &'static Result<FlagTable, Vec<String>> {
    static TABLE: OnceLock<Result<FlagTable, Vec<String>>> = OnceLock::new();
    TABLE.get_or_init(|| FlagTable::find(tables().map_err(|missing| vec![missing.to_owned()])?))
}

/// True if this JVM describes itself at all, as HotSpot does.
pub fn is_described() -> bool {
    symbol(c"gHotSpotVMStructs").is_some()
}

/// What the descriptions of this JVM lack of what the agent relies on.
pub fn missing_descriptions() -> Vec<String> {
    flag_table().as_ref().err().cloned().unwrap_or_default()
}

/// The JVM's own arguments, those from the environment included.
pub fn jvm_arguments() -> Vec<&'static CStr> {
    // Only then are they known to be of the types that are read here.
    let (Ok(_), Ok(tables)) = (flag_table(), tables()) else { return Vec::new() };
    let field = |name| tables.field(c"Arguments", name);
    let (Some(count), Some(array)) = (field(c"_num_jvm_args"), field(c"_jvm_args_array")) else {
        return Vec::new();
    };
    // SAFETY: static fields are variables of the types that HotSpot says, and
    // the strings live as long as the JVM.
    unsafe {
        let count = *count.address.cast::<i32>();
        let array = *array.address.cast::<*const *const c_char>();
        (0..usize::try_from(count).unwrap_or(0))
            .map(|index| CStr::from_ptr(*array.add(index)))
            .collect()
    }
}

/// Where objects of a type of HotSpot's own have a field of this type.
pub fn field_offset(type_name: &CStr, name: &CStr, its_type: &CStr) -> Option<usize> {
    let field = tables().ok()?.field(type_name, name)?;
    (field.may_be(its_type) && !field.is_static).then_some(field.offset)
}

/// The value of a static field of type int.
pub fn static_int(type_name: &CStr, name: &CStr) -> Option<i32> {
    let field = tables().ok()?.field(type_name, name)?;
    let is_known = field.may_be(c"int") && field.is_static && !field.address.is_null();
    // SAFETY: a variable of this type, as HotSpot says.
    is_known.then(|| unsafe { field.address.cast::<i32>().read() })
}

/// Bytes of a type of HotSpot's own.
pub fn size_of(type_name: &CStr) -> Option<usize> {
    tables().ok()?.size_of(type_name)
}

/// A constant of HotSpot's own.
pub fn constant(name: &CStr) -> Option<i32> {
    tables().ok()?.constant(name)
}

/// What libjvm exports under a name.
pub fn symbol(name: &CStr) -> Option<*mut c_void> {
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

/// The flag of this name, if there is one.
pub fn flag(name: &CStr) -> Option<Flag> {
    flag_table().as_ref().ok()?.flag(name)
}

/// The flag of this name, if it is of type bool.
pub fn bool_flag(name: &CStr) -> Option<BoolFlag> {
    match flag(name)? {
        Flag::Bool(flag) => Some(flag),
        _ => None,
    }
}

/// The flag of this name, if it is a whole number.
pub fn number_flag(name: &CStr) -> Option<NumberFlag> {
    match flag(name)? {
        Flag::Number(flag) => Some(flag),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::vm_tables::fake::{Described, Library};
    use super::*;

    /// Flags of HotSpot 17 by their types' numbers, and the values that they point to.
    const FLAGS: [(&CStr, u64); 8] = [
        (c"UseSerialGC", 0),
        (c"MaxHeapSize", 6),
        (c"InitialRAMPercentage", 7),
        (c"ErrorFile", 8),
        (c"CheckIntrinsics", 0),
        (c"FreqInlineSize", 3),
        (c"ObjectAlignmentInBytes", 1),
        (c"OnError", 9),
    ];

    struct Fake {
        flags: Vec<u64>,
        values: &'static mut [u64],
    }

    /// Entries of five words: name, type, address.
    fn fake() -> Fake {
        let values = vec![u64::MAX; FLAGS.len() + 1].leak();
        let mut flags = vec![0; 5 * (FLAGS.len() + 1)];
        for (index, (entry, (name, number))) in flags.chunks_exact_mut(5).zip(FLAGS).enumerate() {
            entry[1] = name.as_ptr().addr() as u64;
            entry[2] = number << 32;
            entry[4] = (&raw mut values[index]).addr() as u64;
        }
        Fake { flags, values }
    }

    const WIDTHS: [(&CStr, u64); 8] = [
        (c"JVMFlag", 40),
        (c"bool", 1),
        (c"int", 4),
        (c"uint", 4),
        (c"intx", 8),
        (c"uintx", 8),
        (c"uint64_t", 8),
        (c"size_t", 8),
    ];

    fn described(fake: Fake) -> (Vec<Described>, &'static mut [u64]) {
        let count = Box::leak(Box::new((FLAGS.len() + 1) as u64));
        let start = Box::leak(Box::new(fake.flags.leak().as_ptr().addr() as u64));
        let at = |place: &'static u64| (&raw const *place).addr();
        let fields = vec![
            (c"JVMFlag", c"flags", c"JVMFlag*", at(start), 0),
            (c"JVMFlag", c"numFlags", c"size_t", at(count), 0),
            (c"JVMFlag", c"_name", c"const char*", 0, 8),
            (c"JVMFlag", c"_addr", c"void*", 0, 32),
            (c"JVMFlag", c"_type", c"int", 0, 20),
            (c"Arguments", c"_num_jvm_args", c"int", at(count), 0),
            (c"Arguments", c"_jvm_args_array", c"char**", at(start), 0),
        ];
        (fields, fake.values)
    }

    fn find(
        fields: &[Described],
        types: &[(&'static CStr, u64)],
    ) -> Result<FlagTable, Vec<String>> {
        FlagTable::find(&Library::with_tables(fields, types).tables().expect("described"))
    }

    #[test]
    fn flags_are_written_as_wide_as_their_types_are() {
        let (fields, values) = described(fake());
        let table = find(&fields, &WIDTHS).expect("all is as it is known");
        match table.flag(c"CheckIntrinsics") {
            Some(Flag::Bool(flag)) => flag.set(false),
            other => panic!("{other:?}"),
        }
        for (name, expected) in [(c"FreqInlineSize", 500), (c"ObjectAlignmentInBytes", 8)] {
            match table.flag(name) {
                Some(Flag::Number(flag)) => {
                    assert_eq!(flag.get(), -1);
                    flag.set(expected);
                    assert_eq!(flag.get(), expected);
                }
                other => panic!("{other:?}"),
            }
        }
        let ones = u64::MAX;
        let all: Vec<u64> = values.to_vec();
        assert_eq!(all, [ones, ones, ones, ones, ones << 8, 500, ones << 32 | 8, ones, ones]);
        assert!(matches!(table.flag(c"OnError"), Some(Flag::Other)));
        assert!(table.flag(c"NoSuchFlag").is_none());
    }

    #[test]
    fn what_differs_from_what_is_known_is_named_and_nothing_is_written() {
        let refused = |fields: &[Described], types: &[(&'static CStr, u64)]| {
            find(fields, types).expect_err("something differs")
        };
        let (fields, _) = described(fake());
        for (index, (type_name, field, ..)) in FIELDS.into_iter().enumerate() {
            let (type_name, field) = (type_name.to_string_lossy(), field.to_string_lossy());
            let named = vec![format!("field {type_name}.{field}")];
            let mut lacking = fields.clone();
            lacking.remove(index);
            assert_eq!(refused(&lacking, &WIDTHS), named);
            let mut of_another_type = fields.clone();
            of_another_type[index].2 = c"short";
            assert_eq!(refused(&of_another_type, &WIDTHS), named);
        }
        let mut wider = WIDTHS;
        wider[4].1 = 16;
        assert_eq!(refused(&fields, &wider), ["type intx"]);
        let mut beyond = fields.clone();
        beyond[4].4 = 40;
        assert_eq!(refused(&beyond, &WIDTHS), ["type JVMFlag"]);
        // A type that comes in before the others.
        let mut fake = fake();
        for entry in fake.flags.chunks_exact_mut(5) {
            entry[2] += 1 << 32;
        }
        let (fields, _) = described(fake);
        assert_eq!(refused(&fields, &WIDTHS), ["flag UseSerialGC of type bool"]);
    }
}

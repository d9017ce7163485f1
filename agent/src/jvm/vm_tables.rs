//! The tables in which HotSpot describes itself for the serviceability agent: its fields
//! (`gHotSpotVMStructs`) and its types (`gHotSpotVMTypes`).
//!
//! HotSpot also exports how these tables are laid out: the offset of each member of an entry,
//! and the distance of entries. Only that is relied on. A table that does not fit what it says
//! of itself is not read, since whatever came of it would be a wrong address.

use std::ffi::{CStr, c_char, c_void};

/// Finds what a library exports under a name.
pub type Symbols<'a> = &'a dyn Fn(&CStr) -> Option<*mut c_void>;

/// More entries than any table has.
const MOST_ENTRIES: usize = 1 << 16;
/// More bytes than an entry has.
const MOST_BYTES: usize = 1 << 10;

/// A table: its start, the distance of its entries, and the offsets of their members.
#[derive(Debug, Clone, Copy)]
struct Table<const MEMBERS: usize> {
    start: *const u8,
    stride: usize,
    offsets: [usize; MEMBERS],
}

/// A member of an entry: the variable that has its offset, and how many bytes are read of it.
type Member = (&'static CStr, usize);

const FIELD_MEMBERS: [Member; 6] = [
    (c"gHotSpotVMStructEntryTypeNameOffset", 8),
    (c"gHotSpotVMStructEntryFieldNameOffset", 8),
    (c"gHotSpotVMStructEntryTypeStringOffset", 8),
    (c"gHotSpotVMStructEntryIsStaticOffset", 4),
    (c"gHotSpotVMStructEntryOffsetOffset", 8),
    (c"gHotSpotVMStructEntryAddressOffset", 8),
];

const TYPE_MEMBERS: [Member; 2] =
    [(c"gHotSpotVMTypeEntryTypeNameOffset", 8), (c"gHotSpotVMTypeEntrySizeOffset", 8)];

const CONSTANT_MEMBERS: [Member; 2] =
    [(c"gHotSpotVMIntConstantEntryNameOffset", 8), (c"gHotSpotVMIntConstantEntryValueOffset", 4)];

/// What HotSpot says of one of its fields.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The type, as its source has it; null where it does not say.
    type_name: *const c_char,
    /// Whether it is a variable of its class.
    pub is_static: bool,
    /// Where it lies in objects.
    pub offset: usize,
    /// Where it lies if it is static.
    pub address: *mut c_void,
}

impl Field {
    /// True if it has this type, or if HotSpot does not say which.
    pub fn may_be(&self, type_name: &CStr) -> bool {
        // SAFETY: a string of HotSpot's description, which ends with a zero byte and never
        // changes; `Table::read` has made sure that the member is where HotSpot says.
        self.type_name.is_null() || unsafe { CStr::from_ptr(self.type_name) } == type_name
    }
}

/// The tables.
#[derive(Debug, Clone, Copy)]
pub struct Tables {
    fields: Table<6>,
    types: Table<2>,
    /// Not there in a JVM that describes no constants; nothing but names of parameters needs
    /// any.
    constants: Option<Table<2>>,
}

// SAFETY: static arrays of the JVM that never change.
unsafe impl Send for Tables {}
// SAFETY: as above.
unsafe impl Sync for Tables {}

impl Tables {
    /// The tables that a library exports.
    ///
    /// # Errors
    /// The name of the one that is not there or says of itself what cannot be.
    ///
    /// # Safety
    /// The symbols are HotSpot's, if there are any: where a table is exported, the variables
    /// hold what is true of it.
    pub unsafe fn read(symbols: Symbols<'_>) -> Result<Self, &'static str> {
        // SAFETY: by contract.
        unsafe {
            let stride = c"gHotSpotVMStructEntryArrayStride";
            let fields = Table::read(symbols, c"gHotSpotVMStructs", stride, &FIELD_MEMBERS);
            let stride = c"gHotSpotVMTypeEntryArrayStride";
            let types = Table::read(symbols, c"gHotSpotVMTypes", stride, &TYPE_MEMBERS);
            let stride = c"gHotSpotVMIntConstantEntryArrayStride";
            let constants =
                Table::read(symbols, c"gHotSpotVMIntConstants", stride, &CONSTANT_MEMBERS);
            Ok(Self {
                constants,
                fields: fields.ok_or("table gHotSpotVMStructs")?,
                types: types.ok_or("table gHotSpotVMTypes")?,
            })
        }
    }

    /// What is said of a field.
    pub fn field(&self, type_name: &CStr, field_name: &CStr) -> Option<Field> {
        let [of_type, of_field, of_type_name, of_static, of_offset, of_address] =
            self.fields.offsets;
        self.fields.entries(of_type).find_map(|entry| {
            // SAFETY: an entry of the table, whose members lie within it; its names are
            // strings, or null.
            unsafe {
                let is_it =
                    is_named(entry, of_type, type_name) && is_named(entry, of_field, field_name);
                is_it.then(|| Field {
                    type_name: entry.add(of_type_name).cast::<*const c_char>().read(),
                    is_static: entry.add(of_static).cast::<i32>().read() != 0,
                    offset: entry.add(of_offset).cast::<u64>().read() as usize,
                    address: entry.add(of_address).cast::<*mut c_void>().read(),
                })
            }
        })
    }

    /// A constant that is a whole number.
    pub fn constant(&self, name: &CStr) -> Option<i32> {
        let constants = self.constants?;
        let [of_name, of_value] = constants.offsets;
        constants.entries(of_name).find_map(|entry| {
            // SAFETY: as in `field`.
            unsafe {
                is_named(entry, of_name, name).then(|| entry.add(of_value).cast::<i32>().read())
            }
        })
    }

    /// Bytes of a type.
    pub fn size_of(&self, type_name: &CStr) -> Option<usize> {
        let [of_name, of_size] = self.types.offsets;
        self.types.entries(of_name).find_map(|entry| {
            // SAFETY: as in `field`.
            unsafe {
                is_named(entry, of_name, type_name)
                    .then(|| entry.add(of_size).cast::<u64>().read() as usize)
            }
        })
    }
}

/// True if the member of an entry is this name.
///
/// # Safety
/// The member is a string that ends with a zero byte, or null.
unsafe fn is_named(entry: *const u8, member: usize, name: &CStr) -> bool {
    // SAFETY: by contract.
    unsafe {
        let found = entry.add(member).cast::<*const c_char>().read();
        !found.is_null() && CStr::from_ptr(found) == name
    }
}

impl<const MEMBERS: usize> Table<MEMBERS> {
    /// The table behind a pointer of this name; `None` if it is not exported, or if members
    /// would not lie in their entries, or one upon the other.
    ///
    /// # Safety
    /// As for [`Tables::read`].
    unsafe fn read(
        symbols: Symbols<'_>,
        start: &CStr,
        stride: &CStr,
        members: &[Member; MEMBERS],
    ) -> Option<Self> {
        let number = |name: &CStr| {
            let at = symbols(name)?.cast::<u64>();
            // SAFETY: a variable of 64 bits, by contract.
            usize::try_from(unsafe { at.read() }).ok()
        };
        // SAFETY: a variable with a pointer, by contract.
        let start = unsafe { symbols(start)?.cast::<*const u8>().read() };
        let stride = number(stride)?;
        let mut offsets = [0; MEMBERS];
        for (offset, (name, _)) in offsets.iter_mut().zip(members) {
            *offset = number(name)?;
        }
        let placed = || offsets.iter().zip(members).map(|(&from, &(_, bytes))| (from, bytes));
        let fits = placed().all(|(from, bytes)| {
            from.is_multiple_of(bytes) && from.checked_add(bytes).is_some_and(|end| end <= stride)
        });
        let overlaps = placed().enumerate().any(|(index, (from, bytes))| {
            placed().take(index).any(|(other, its)| from < other + its && other < from + bytes)
        });
        let is_sound = !start.is_null()
            && start.addr().is_multiple_of(8)
            && stride.is_multiple_of(8)
            && stride <= MOST_BYTES
            && fits
            && !overlaps;
        is_sound.then_some(Self { start, stride, offsets })
    }

    /// The entries up to the one without a name, which is the last; `name` is that member.
    fn entries(&self, name: usize) -> impl Iterator<Item = *const u8> {
        let (start, stride) = (self.start, self.stride);
        // SAFETY: HotSpot ends the table with an entry whose members are all 0, and nothing
        // is read behind it.
        (0..MOST_ENTRIES).map(move |index| unsafe { start.add(index * stride) }).take_while(
            // SAFETY: as above; the member lies in the entry.
            move |&entry| unsafe { !entry.add(name).cast::<*const c_char>().read().is_null() },
        )
    }
}

#[cfg(test)]
pub mod fake {
    //! Tables in memory, laid out in any way.

    use super::*;
    use std::collections::HashMap;

    /// What a library exports.
    #[derive(Default)]
    pub struct Library {
        variables: HashMap<&'static CStr, Box<u64>>,
    }

    /// A field: its type's name, its own, its type, and where it lies (0: its offset).
    pub type Described = (&'static CStr, &'static CStr, &'static CStr, usize, u64);

    impl Library {
        /// Exports a number.
        pub fn export(&mut self, name: &'static CStr, value: u64) {
            self.variables.insert(name, Box::new(value));
        }

        /// Exports tables of 64 bytes an entry, with members in another order than HotSpot 17
        /// has them.
        pub fn with_tables(fields: &[Described], types: &[(&'static CStr, u64)]) -> Self {
            let mut library = Self::default();
            let mut table = vec![0_u64; 8 * (fields.len() + 1)];
            for (entry, &(of, name, type_name, address, offset)) in
                table.chunks_exact_mut(8).zip(fields)
            {
                entry[5] = of.as_ptr().addr() as u64;
                entry[1] = name.as_ptr().addr() as u64;
                entry[7] = type_name.as_ptr().addr() as u64;
                entry[0] = u64::from(address != 0) << 32;
                entry[3] = offset;
                entry[2] = address as u64;
            }
            library.export(c"gHotSpotVMStructs", table.leak().as_ptr().addr() as u64);
            let offsets = [40, 8, 56, 4, 24, 16];
            for (&(name, _), offset) in FIELD_MEMBERS.iter().zip(offsets) {
                library.export(name, offset);
            }
            library.export(c"gHotSpotVMStructEntryArrayStride", 64);
            let mut table = vec![0_u64; 3 * (types.len() + 1)];
            for (entry, &(name, size)) in table.chunks_exact_mut(3).zip(types) {
                entry[2] = name.as_ptr().addr() as u64;
                entry[0] = size;
            }
            library.export(c"gHotSpotVMTypes", table.leak().as_ptr().addr() as u64);
            library.export(c"gHotSpotVMTypeEntryTypeNameOffset", 16);
            library.export(c"gHotSpotVMTypeEntrySizeOffset", 0);
            library.export(c"gHotSpotVMTypeEntryArrayStride", 24);
            library
        }

        /// What is exported under a name.
        pub fn symbol(&self, name: &CStr) -> Option<*mut c_void> {
            self.variables.get(name).map(|value| (&raw const **value).cast_mut().cast())
        }

        /// The tables.
        pub fn tables(&self) -> Result<Tables, &'static str> {
            // SAFETY: the variables hold what is true of the tables, or what is refused.
            unsafe { Tables::read(&|name| self.symbol(name)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fake::Library;
    use super::*;

    fn library() -> Library {
        Library::with_tables(
            &[(c"A", c"x", c"int", 0, 12), (c"A", c"all", c"A*", 0x1000, 0)],
            &[(c"int", 4), (c"A", 24)],
        )
    }

    #[test]
    fn tables_are_read_as_they_are_laid_out() {
        let library = library();
        let tables = library.tables().expect("they are described");
        let field = tables.field(c"A", c"x").expect("it is in the table");
        assert_eq!((field.is_static, field.offset, field.address.addr()), (false, 12, 0));
        assert!(field.may_be(c"int") && !field.may_be(c"long"));
        let variable = tables.field(c"A", c"all").expect("it is in the table");
        assert_eq!((variable.is_static, variable.address.addr()), (true, 0x1000));
        assert!(tables.field(c"A", c"y").is_none() && tables.field(c"B", c"x").is_none());
        assert_eq!(
            [c"int", c"A", c"B"].map(|name| tables.size_of(name)),
            [Some(4), Some(24), None]
        );
    }

    #[test]
    fn a_layout_that_cannot_be_is_not_read() {
        let fields = "table gHotSpotVMStructs";
        let wrong: [(&CStr, u64, &str); 8] = [
            (c"gHotSpotVMStructs", 0, fields),
            (c"gHotSpotVMStructs", 0x1001, fields),
            (c"gHotSpotVMStructEntryArrayStride", 0, fields),
            (c"gHotSpotVMStructEntryArrayStride", 1 << 40, fields),
            (c"gHotSpotVMStructEntryAddressOffset", 64, fields),
            (c"gHotSpotVMStructEntryOffsetOffset", 44, fields),
            (c"gHotSpotVMStructEntryOffsetOffset", 40, fields),
            (c"gHotSpotVMTypeEntrySizeOffset", u64::MAX, "table gHotSpotVMTypes"),
        ];
        for (name, value, told) in wrong {
            let mut library = library();
            library.export(name, value);
            assert_eq!(library.tables().err(), Some(told), "{name:?} {value}");
        }
        assert_eq!(Library::default().tables().err(), Some(fields), "nothing is exported");
    }
}

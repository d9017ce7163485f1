//! Constants of the runtime classes are those of the crates that read or write the same memory.
//!
//! Probes in Java read and write what Rust lays out. Each constant of a runtime class
//! that has a value in the class file is in one of two lists: it [mirrors](mirrored) a
//! constant in Rust, or it is the class's [own](OWN).

use std::collections::{BTreeMap, BTreeSet};

use classfile::{ClassFile, Member};
use instrument::dataflow::costs::{cache, nodes, tables};
use instrument::dataflow::graph::{edges, numbers};
use instrument::dataflow::loops::threads::{self, block};
use instrument::dataflow::methods::activation;
use instrument::dataflow::objects::tag_table::{self, number};
use instrument::dataflow::objects::tags::{allocations, owners};
use instrument::dataflow::objects::{clones, sites};
use instrument::dataflow::results::layouts;
use instrument::dataflow::results::threads::block as results;
use instrument::dataflow::tracking::callees;
use instrument::dataflow::typestate::{self, tables::entry as typestate_entry};
use instrument::probe::members;
use live::thread_trees;
use online::loops::events;
use online::results::tables::{entry, header};
use profile::layout::dataflow::{self, edge, frequencies, null, relation, shadow};
use profile::layout::{births, cut, method_flags, node, tree};
use profile::results as kinds;

use crate::jvm::cost_natives::field;
use crate::jvm::tag_natives::header as headers;
use crate::shim::RUNTIME_CLASSES;

/// What a constant is: an int or a long, or a string.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Constant {
    Number(i64),
    Text(Vec<u8>),
}

/// Words of the arena as bytes: Java counts in those.
const fn bytes(words: u32) -> i64 {
    words as i64 * 4
}

/// Words of 64 bits as bytes.
const fn longs(words: usize) -> i64 {
    words as i64 * 8
}

/// The same from the first counter of a block of counters on.
const fn from_first_counter(words: u32) -> i64 {
    bytes(words) - bytes(frequencies::FIRST)
}

/// From the counters of what is approximate on.
const fn from_shared(words: u32) -> i64 {
    bytes(words) - bytes(dataflow::SHARED)
}

/// An int with this pattern of bits.
const fn bits(bits: u32) -> i64 {
    bits as i32 as i64
}

/// The first word of such an event of loops.
const fn other_event(middle: u64) -> i64 {
    (events::OTHER << events::KIND_SHIFT | middle << 32) as i64
}

/// Binary logarithm of the size of a table, which is a power of two.
fn log(size: u32) -> i64 {
    assert!(size.is_power_of_two());
    size.ilog2().into()
}

/// Runtime class, constant, and what it must be.
fn mirrored() -> Vec<(&'static str, &'static str, i64)> {
    let leaf = node::bytecodes(method_flags::BYTECODES_COUNTER).expect("the flags say so");
    let both =
        method_flags::SLOTS | method_flags::BYTECODES_COUNTER | method_flags::ALLOCATIONS_COUNTER;
    let bytecodes = node::bytecodes(both).expect("the flags say so");
    let allocations = node::allocations(both).expect("the flags say so");
    vec![
        ("SubsumeRuntime", "NEXT", bytes(node::NEXT_SIBLING)),
        ("SubsumeRuntime", "CALLS", bytes(node::CALLS)),
        ("SubsumeRuntime", "IMPLICIT_SLOT", bytes(node::IMPLICIT_SLOT)),
        ("SubsumeRuntime", "BYTECODES", bytes(bytecodes)),
        ("SubsumeRuntime", "ALLOCATIONS", bytes(allocations)),
        ("SubsumeRuntime", "LEAF_BYTECODES", bytes(leaf)),
        ("SubsumeRuntime", "ROOT_SLOT", tree::ROOT_SLOT.into()),
        ("SubsumeRuntime", "CUT", bits(cut::MARK)),
        ("SubsumeRuntime", "SCRATCH_METHODS", thread_trees::SCRATCH_METHODS.into()),
        ("SubsumeDataflow", "PRODUCER", shadow::PRODUCER.into()),
        ("SubsumeDataflow", "FIELD_GROUP", shadow::FIELD_GROUP.into()),
        ("SubsumeDataflow", "TAG_SHIFT", shadow::TAG_SHIFT.into()),
        ("SubsumeDataflow", "GROUP_SHIFT", shadow::GROUP_SHIFT.into()),
        ("SubsumeDataflow", "TAG_MASK", i64::from(dataflow::TAGS - 1) << shadow::TAG_SHIFT),
        // The number of the store and the tag are written at once.
        ("SubsumeDataflow", "TO", bytes(edge::STORE)),
        ("SubsumeDataflow", "COUNT", bytes(edge::COUNT)),
        ("SubsumeDataflow", "NEXT", bytes(edge::NEXT)),
        ("SubsumeDataflow", "UNTRACKED_ARGUMENTS", bytes(dataflow::UNTRACKED_ARGUMENTS)),
        ("SubsumeDataflow", "STORES", bytes(node::STORES - node::LOADS)),
        ("SubsumeDataflow", "ALU", bytes(node::ALU - node::LOADS)),
        ("SubsumeDataflow", "COMPARISONS", bytes(node::COMPARISONS - node::LOADS)),
        ("SubsumeDataflow", "MASK", -bytes(edges::MASK_WORDS)),
        ("SubsumeDataflow", "MIX", edges::MIX as i64),
        ("SubsumeAssignments", "OBJECTS", dataflow::ASSIGNED_OBJECTS.into()),
        ("SubsumeAssignments", "BYTES", dataflow::ASSIGNED_BYTES.into()),
        ("SubsumeCosts", "KNOWN_BITS", log(tables::KNOWN as u32)),
        ("SubsumeCosts", "DEPENDS", relation::DEPENDS.into()),
        ("SubsumeInlineCache", "LOADED", relation::LOADED.into()),
        ("SubsumeInlineCache", "STORED", relation::STORED.into()),
        ("SubsumeInlineCache", "OVERWRITTEN", relation::OVERWRITTEN.into()),
        ("SubsumeInlineCache", "REFERS", relation::REFERS.into()),
        ("SubsumeInlineCache", "DECIDED", frequencies::DECIDED.into()),
        ("SubsumeInlineCache", "OTHERS", bytes(frequencies::OTHERS)),
        // The last word of what an access met.
        ("SubsumeInlineCache", "OTHER_EDGE", bytes(nodes::ACCESS - 1)),
        ("SubsumeInlineCache", "TO", bytes(edge::STORE)),
        ("SubsumeInlineCache", "COUNT", bytes(edge::COUNT)),
        // The last word of an edge.
        ("SubsumeInlineCache", "LAST_COMPANION", bytes(edge::WORDS - 1)),
        // The last words of what such an access met.
        ("SubsumeReceiverFields", "WRITER_BEFORE", bytes(nodes::RECEIVER_LOAD - 1)),
        ("SubsumeReceiverFields", "TARGET_BEFORE", bytes(nodes::RECEIVER_STORE - 1)),
        ("SubsumeActivation", "RECEIVER", from_first_counter(frequencies::RECEIVER)),
        ("SubsumeActivation", "WORDS_BEHIND", from_first_counter(frequencies::MET)),
        ("SubsumeActivation", "COUNTERS", from_first_counter(frequencies::COUNT)),
        ("SubsumeActivation", "OTHER", from_first_counter(frequencies::OTHER)),
        ("SubsumeActivation", "SLOT", from_first_counter(frequencies::SLOT)),
        ("SubsumeActivation", "BLOCK_OF", relation::BLOCK_OF.into()),
        ("SubsumeActivation", "WAYS", tables::WAYS.into()),
        ("SubsumeActivation", "CACHE", (tables::METHODS * 4) as i64),
        ("SubsumeActivation", "ENTRIES", cache::ENTRIES as i64),
        ("SubsumeActivation", "LOG_OF_ENTRY", log(bytes(cache::entry::WORDS as u32) as u32)),
        ("SubsumeActivation", "KEY", bytes(cache::entry::KEY)),
        ("SubsumeActivation", "FOUND", bytes(cache::entry::FOUND)),
        ("SubsumeActivation", "CHAIN", bytes(cache::entry::CHAIN)),
        ("SubsumeActivation", "FOUND_SLOT", bytes(cache::entry::SLOT)),
        ("SubsumeActivation", "METHOD_BITS", cache::METHOD_BITS.into()),
        ("SubsumeActivation", "BY_RECEIVER", activation::BY_RECEIVER.into()),
        ("SubsumeActivation", "CHANGES_CONTEXT", activation::CHANGES_CONTEXT.into()),
        ("SubsumeLoops", "DEPTH", bytes(block::DEPTH)),
        ("SubsumeLoops", "NEXT_IDENTITY", bytes(block::NEXT_IDENTITY)),
        ("SubsumeLoops", "UNJUDGED", bytes(block::UNJUDGED)),
        ("SubsumeLoops", "LAST_ITERATION", bytes(block::LAST_ITERATION)),
        ("SubsumeLoops", "LEAF", bytes(block::LEAF)),
        ("SubsumeLoops", "CLOCK", bytes(block::CLOCK)),
        ("SubsumeLoops", "STARTS", bytes(block::STARTS)),
        ("SubsumeLoops", "MOST_STARTS", block::MOST_STARTS.into()),
        ("SubsumeLoops", "WRITTEN", bytes(block::WRITTEN)),
        ("SubsumeLoops", "WRITTEN_BITS", block::WRITTEN_BITS.into()),
        ("SubsumeLoops", "UNJUDGED_LOOPS", bytes(block::UNJUDGED_LOOPS)),
        ("SubsumeLoops", "UNJUDGED_BITS", block::UNJUDGED_BITS.into()),
        ("SubsumeLoops", "HASH_FACTOR", threads::HASH_FACTOR as i64),
        ("SubsumeLoops", "FULL", bytes(block::FULL)),
        ("SubsumeLoops", "COPIED_AT_ONCE", block::MOST_VALUES.into()),
        ("SubsumeLoops", "MOST_COPIED", events::MOST_COPIED as i64),
        ("SubsumeLoops", "WRITE", events::WRITE as i64),
        ("SubsumeLoops", "ITERATION", (events::ITERATION << events::KIND_SHIFT) as i64),
        ("SubsumeLoops", "COPY", (events::COPY << events::KIND_SHIFT) as i64),
        ("SubsumeLoops", "LEAVE", other_event(events::LEAVE)),
        ("SubsumeLoops", "WRITES", other_event(events::WRITES)),
        ("SubsumeLoops", "EFFECT", other_event(events::EFFECT)),
        ("SubsumeLoops", "OWN", other_event(events::OWN)),
        ("SubsumeLoops", "GIVEN", other_event(events::GIVEN)),
        ("SubsumeLoops", "CAPTURED", other_event(events::CAPTURED)),
        ("SubsumeTypestate", "COUNT", bytes(typestate_entry::COUNT)),
        ("SubsumeTypestate", "TO", bytes(typestate_entry::TO)),
        ("SubsumeTypestate", "BYTES", bytes(typestate_entry::WORDS)),
        ("SubsumeTypestate", "BITS", typestate_entry::BITS.into()),
        ("SubsumeTypestate", "HASH_FACTOR", typestate::tables::HASH_FACTOR as i64),
        ("SubsumeResultFrames", "END", longs(results::END)),
        ("SubsumeResultFrames", "NEXT_IDENTITY", longs(results::NEXT_IDENTITY)),
        ("SubsumeResultFrames", "TOO_DEEP", longs(results::TOO_DEEP)),
        ("SubsumeResultFrames", "FRAME", longs(results::FRAME)),
        ("SubsumeResultTables", "PAGES", longs(results::PAGES)),
        ("SubsumeResultTables", "PAGE_BITS", results::PAGE_BITS as i64),
        ("SubsumeResultTables", "MOST_PAGES", results::MOST_PAGES as i64),
        ("SubsumeResultTables", "METHOD", longs(header::METHOD)),
        ("SubsumeResultTables", "RETURNED", longs(header::RETURNED)),
        ("SubsumeResultTables", "UNFOLLOWED", longs(header::UNFOLLOWED)),
        ("SubsumeResultTables", "COST", longs(header::COST)),
        ("SubsumeResultTables", "SAVING", longs(header::SAVING)),
        ("SubsumeResultTables", "LAST_HITS", longs(header::LAST_HITS)),
        ("SubsumeResultTables", "CONFLICTS", longs(header::CONFLICTS)),
        ("SubsumeResultTables", "WROTE", longs(header::WROTE)),
        ("SubsumeResultTables", "HITS_THAT_WROTE", longs(header::HITS_THAT_WROTE)),
        ("SubsumeResultTables", "KINDS", longs(header::KINDS)),
        ("SubsumeResultTables", "FIRST_RESULT", longs(header::FIRST_RESULT)),
        ("SubsumeResultTables", "LAST_INPUT", longs(header::LAST_INPUT)),
        ("SubsumeResultTables", "LAST_RECEIVER", longs(header::LAST_RECEIVER)),
        ("SubsumeResultTables", "INPUTS", longs(header::INPUTS)),
        ("SubsumeResultTables", "RECEIVERS", longs(header::RECEIVERS)),
        ("SubsumeResultTables", "LEVEL", longs(header::LEVEL)),
        ("SubsumeResultTables", "ALL_HITS", longs(header::ALL_HITS)),
        ("SubsumeResultTables", "FREQUENT", longs(header::FREQUENT)),
        ("SubsumeResultTables", "SHIFT", longs(header::INPUTS_SHIFT - header::INPUTS)),
        ("SubsumeResultTables", "LEFT_OUT", longs(header::INPUTS_LEFT_OUT - header::INPUTS)),
        ("SubsumeResultTables", "LEFT", longs(header::INPUTS_LEFT - header::INPUTS)),
        ("SubsumeResultTables", "RESULT", longs(entry::RESULT)),
        ("SubsumeResultTables", "HITS", longs(entry::HITS)),
        ("SubsumeResultTables", "ENTRY_SAVING", longs(entry::SAVING)),
        ("SubsumeResultTables", "WEIGHT_SHIFT", entry::WEIGHT_SHIFT.into()),
        ("SubsumeResultTables", "LOG_OF_ENTRY", log(entry::WORDS as u32 * 8)),
        ("SubsumeResultTables", "FLUENT", kinds::FLUENT.into()),
        ("SubsumeResultTables", "NULL", kinds::NULL.into()),
        ("SubsumeResultTables", "ONE_VALUE", kinds::ONE_VALUE.into()),
        ("SubsumeResultTables", "PER_RECEIVER", kinds::PER_RECEIVER.into()),
        ("SubsumeResultTables", "NAN", kinds::NAN.into()),
        ("SubsumeResultTables", "VOID", kinds::VOID.into()),
        ("SubsumeStructures", "LEFT_TO_SEE", longs(results::LEFT_TO_SEE - results::NEXT_IDENTITY)),
        ("SubsumeStructures", "LOG_OF_LAYOUTS", log(layouts::LAYOUTS as u32)),
        ("SubsumeStructures", "BY_NUMBER", layouts::kind::BY_NUMBER as i64),
        ("SubsumeStructures", "BY_FIELDS", layouts::kind::BY_FIELDS as i64),
        ("SubsumeStructures", "VALUE", layouts::kind::VALUE as i64),
        ("SubsumeNulls", "UNKNOWN", null::UNKNOWN.into()),
        ("SubsumeNulls", "INITIAL", null::INITIAL.into()),
        ("SubsumeNulls", "FLOWED", null::FLOWED.into()),
        ("SubsumeNulls", "RAISED", null::RAISED.into()),
        ("SubsumeNulls", "UNCAUGHT", null::UNCAUGHT.into()),
        ("SubsumeNulls", "COUNT", bytes(edge::COUNT)),
        ("SubsumeClockCache", "SHARED_ELEMENTS", from_shared(dataflow::SHARED_ELEMENTS)),
        ("SubsumeClockCache", "FORGOTTEN", from_shared(dataflow::FORGOTTEN)),
        ("SubsumeClockCache", "BYTES", from_shared(dataflow::ELEMENT_BYTES)),
        ("SubsumeClockCache", "MISPLACED", from_shared(dataflow::MISPLACED)),
        ("SubsumeStack", "CAPTURING", callees::CAPTURING.into()),
        ("SubsumeIntrinsics", "STORE_NUMBER", longs(numbers::STORE_NUMBER)),
        ("SubsumeIntrinsics", "CLONE_STORE", longs(clones::STORE)),
        ("SubsumeIntrinsics", "CLONE_EDGES", longs(clones::EDGES)),
        ("SubsumeIntrinsics", "CLONE_FIRST", longs(clones::FIRST)),
        ("SubsumeTags", "TABLE_BY_CONTEXT", number::BY_CONTEXT.into()),
        ("SubsumeTags", "TABLE_OF_CLASSES", number::CLASSES.into()),
        ("SubsumeTags", "TABLE_OF_SITES", number::SITES.into()),
        ("SubsumeTags", "TABLE_OF_BLOCKS", number::BLOCKS.into()),
        ("SubsumeTags", "TABLE_OF_OWNERS", number::OWNERS.into()),
        ("SubsumeTags", "TABLE_OF_SIZES", number::SIZES.into()),
        ("SubsumeTags", "TABLE_OF_UNTRACKED", number::UNTRACKED.into()),
        ("SubsumeTags", "TABLE_OF_HASHES", number::HASHES.into()),
        ("SubsumeTags", "COMPACT", headers::COMPACT.into()),
        ("SubsumeTags", "NARROW_CLASSES", headers::NARROW_CLASSES.into()),
        ("SubsumeTags", "ARRAYS_HAVE_PLACES", headers::ARRAYS_HAVE_PLACES.into()),
        // Site, owner and tag share a long.
        ("SubsumeTags", "OWNER_BITS", 64 - log(sites::SITES) - log(dataflow::TAGS)),
        ("SubsumeTags", "CALL", owners::CALL.into()),
        ("SubsumeTags", "MARKED", dataflow::TAGS.into()),
        ("SubsumeMark", "TAG_BITS", log(dataflow::TAGS)),
        ("SubsumeMark", "TAG_MASK", i64::from(dataflow::TAGS) - 1),
        ("SubsumeHashes", "OWNED", tag_table::OWNED.into()),
        ("SubsumeHashes", "BLOCK_BITS", tag_table::BLOCK_BITS.into()),
        ("SubsumeHashes", "BLOCK_MASK", (1 << tag_table::BLOCK_BITS) - 1),
        ("SubsumeHashes", "NUMBER_MASK", i64::from(tag_table::BLOCKS) - 1),
        ("SubsumeUntracked", "PLACE_BITS", log(tag_table::UNTRACKED_ENTRIES)),
        ("SubsumeAllocations", "CONTEXT_BITS", log(tag_table::CONTEXT_ENTRIES)),
        ("SubsumeAllocations", "LOG_OF_PAGE", log(births::PER_PAGE)),
        ("SubsumeAllocations", "PAGE_MASK", i64::from(births::PER_PAGE) - 1),
        ("SubsumeAllocations", "LOG_OF_COUNTERS", log(births::WORDS * 4)),
        ("SubsumeAllocations", "BYTES", bytes(births::BYTES - births::OBJECTS)),
        ("SubsumeStack", "SHADOWLESS", callees::SHADOWLESS.into()),
        ("SubsumeArrays", "REFERENCES", allocations::REFERENCES.into()),
        ("SubsumeFields", "SHADOW", field::SHADOW as i64),
        ("SubsumeFields", "REFERENCE", field::REFERENCE as i64),
        ("SubsumeFields", "EACH", field::EACH as i64),
    ]
}

/// Constants that only runtime classes know.
const OWN: &[(&str, &[&str])] = &[
    ("SubsumeActivation", &["FEW", "NO_RECEIVER", "SPREAD"]),
    ("SubsumeArrays", &["MARKER"]),
    (
        "SubsumeFreeLists",
        &["CAPACITY", "SIZE", "NEXT", "FIRST", "LOG_OF_UNIT", "SIZES", "MANY_BYTES"],
    ),
    ("SubsumeFieldNumbers", &["BITS"]),
    ("SubsumeShadowFields", &["BITS"]),
    ("SubsumeCosts", &["READ", "BEFORE", "MIX"]),
    ("SubsumeElements", &["MOST_WRITERS", "FEW", "READ_BITS"]),
    ("SubsumeInlineCache", &["USUAL", "CANDIDATE", "COMPANION", "ANY", "UNDECIDED_MOST"]),
    ("SubsumeFields", &["BITS"]),
    ("SubsumeDataflow", &["FLUSH", "ALL_KINDS", "LARGE_KINDS"]),
    ("SubsumeIntrinsics", &["CLONE_BITS", "MIX", "STORE_BITS"]),
    (
        "SubsumeLoops",
        &[
            "ONE_MORE",
            "SUSPENDED",
            "BYTES",
            "BOOLEANS",
            "CHARS",
            "SHORTS",
            "INTS",
            "FLOATS",
            "LONGS",
            "DOUBLES",
            "REFERENCES",
        ],
    ),
    ("SubsumeIdentities", &["DRAWN", "BLOCK"]),
    (
        "SubsumeStructures",
        // The first words of a layout, and limits.
        &["KIND", "COUNT", "FIELDS", "MOST", "PART"],
    ),
    ("SubsumeInputs", &["MIX", "MIX_AGAIN", "ALL_BYTES", "LOG_OF_LONG_STRINGS"]),
    ("SubsumeResults", &["FLUSH"]),
    (
        "SubsumeResultFrames",
        &[
            "LEFT_OUT_CALL",
            "INPUT",
            "RECEIVER",
            "START",
            "COST_BEFORE",
            "SAVING_BEFORE",
            "OLDEST",
            "YOUNGEST",
            "EXTENT",
            "NOTHING",
        ],
    ),
    ("SubsumeResultTables", &["ASKED_AFTER", "CHEAP", "HITS_AFTER", "RARE"]),
    // The JVM's.
    (
        "SubsumeMark",
        &[
            "TAG_SHIFT",
            "LOCK_MASK",
            "MONITOR",
            "UNLOCKED",
            "ADDRESS_MASK",
            "BEFORE_CLASS",
            "CLASS_OFFSET",
            "FIRST_UNUSED",
            "COMPACT_CLASS_SHIFT",
        ],
    ),
    ("SubsumeNullElements", &["FEW", "BITS"]),
    // The agent returns it.
    ("SubsumeTypestate", &["FOLLOWS_NONE"]),
    ("SubsumeNulls", &["EXPLICIT"]),
    ("SubsumeReceiverFields", &["WRITER", "OVERWRITTEN", "TARGET"]),
    (
        "SubsumeClockCache",
        &[
            "KEY",
            "ONE",
            "BITS",
            "BLOCK",
            "LOG_OF_PLACE",
            "USED",
            "NUMBER_BITS",
            "EPOCH_BITS",
            "FIRST_EPOCH",
            "RUN",
            "MOST_AGE",
            "LOST",
        ],
    ),
    ("SubsumeRuntime", &["FLUSH", "FOUND_BITS", "HIDDEN_CLASS"]),
    ("SubsumeStack", &["NOTHING", "UNKNOWN", "ITSELF"]),
    ("SubsumeOverflowArray", &["SWEEPS"]),
    ("SubsumeTags", &["OWNER_MASK"]),
    ("SubsumeTexts", &["MOST_BYTES", "LOG_OF_KNOWN"]),
    ("SubsumeWeakEntry", &["SWEPT_AT_ONCE"]),
];

/// The value that a field has in the class file (JVMS 4.7.2), if it has one.
fn value(field: &Member<'_>) -> Option<Constant> {
    let mut attributes = field.attributes().expect("was parsed").flatten();
    let attribute = attributes.find(|attribute| attribute.name == b"ConstantValue")?;
    let index = u16::from_be_bytes(attribute.info.try_into().expect("is an index"));
    let pool = field.class().constant_pool();
    Some(match field.descriptor() {
        b"J" => Constant::Number(pool.long(index).expect("is a long")),
        b"Ljava/lang/String;" => Constant::Text(pool.string(index).expect("is one").to_vec()),
        _ => Constant::Number(pool.integer(index).expect("is an int").into()),
    })
}

#[test]
#[allow(clippy::disallowed_methods, reason = "names of our own")]
fn constants_in_java_are_those_in_rust() {
    let parsed = |&(class, file): &(&'static str, &'static [u8])| {
        (class, ClassFile::parse(file).expect("the build has compiled it"))
    };
    let classes: Vec<(&str, ClassFile<'_>)> = RUNTIME_CLASSES.iter().map(parsed).collect();
    let mut expected: BTreeMap<(&str, &str), Constant> = BTreeMap::new();
    for (class, name, value) in mirrored() {
        let before = expected.insert((class, name), Constant::Number(value));
        assert_eq!(before, None, "{class}.{name} is there twice");
    }
    let prefix = Constant::Text(members::PREFIX.into());
    expected.insert(("SubsumeRuntime", "PREFIX"), prefix);
    let names = |&(class, names): &(&'static str, &'static [&'static str])| {
        names.iter().map(move |&name| (class, name))
    };
    let mut own: BTreeSet<(&str, &str)> = OWN.iter().flat_map(names).collect();
    for (class, file) in &classes {
        for field in file.fields() {
            let Some(found) = value(&field) else { continue };
            let name = std::str::from_utf8(field.name()).expect("is ASCII");
            match expected.remove(&(*class, name)) {
                Some(value) => assert_eq!(found, value, "{class}.{name}, and what Rust has"),
                None => assert!(
                    own.remove(&(*class, name)),
                    "{class}.{name} mirrors something in Rust or is the class's own: say which"
                ),
            }
        }
    }
    assert!(expected.is_empty(), "no constants of a class file: {expected:?}");
    assert!(own.is_empty(), "no constants of a class file: {own:?}");
}

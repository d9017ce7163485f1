//! The tables of `docs/reference/format.md` say what [`layout`](crate::layout) says.

use crate::compact::{block, section};
use crate::layout::dataflow::{self, edge, frequencies, null, relation};
use crate::layout::{
    self, BYTE_ORDER_MARK, COMPACT_VERSION, FORM_COMPACT, FORM_LIVE, LIVE_VERSION, header,
    method_flags, metrics, node, record, segment, site_kind, tree,
};
use crate::run::key;

const FORMAT: &str = include_str!("../../../docs/reference/format.md");

/// A row: its cells.
type Row = Vec<&'static str>;

/// The tables below a heading, in their order, without their head lines.
fn tables(heading: &str) -> Vec<Vec<Row>> {
    let is_heading = |line: &str| line.starts_with("## ") || line.starts_with("### ");
    let mut lines = FORMAT.lines().skip_while(|line| {
        !(is_heading(line) && line.trim_start_matches('#').trim_start() == heading)
    });
    assert!(lines.next().is_some(), "docs/reference/format.md has no heading {heading:?}");
    let lines: Vec<&str> = lines.take_while(|line| !is_heading(line)).collect();
    let runs = lines.split(|line| !line.starts_with('|')).filter(|run| !run.is_empty());
    let cells = |line: &&'static str| {
        line.trim_matches('|').split('|').map(str::trim).collect::<Vec<&'static str>>()
    };
    runs.map(|run| {
        assert!(run[1].starts_with("|---"), "below {heading:?}: no table begins with {:?}", run[0]);
        run[2..].iter().map(cells).collect()
    })
    .collect()
}

/// The number that a cell begins with.
fn number(cell: &str) -> Option<u64> {
    let end = cell.find(|c: char| !c.is_ascii_digit()).unwrap_or(cell.len());
    cell[..end].parse().ok()
}

/// Demands that the rows of a table that begin with a number are these: the number, and
/// what the rest of the row says.
fn has_rows(heading: &str, table: &[Row], expected: &[(u64, &str)]) {
    let numbered: Vec<(u64, String)> =
        table.iter().filter_map(|row| Some((number(row[0])?, row.join(" | ")))).collect();
    let found: Vec<u64> = numbered.iter().map(|(number, _)| *number).collect();
    let numbers: Vec<u64> = expected.iter().map(|(number, _)| *number).collect();
    assert_eq!(found, numbers, "docs/reference/format.md on the left, below {heading:?}");
    for ((_, row), (number, words)) in numbered.iter().zip(expected) {
        assert!(row.contains(words), "below {heading:?}: {number} is {words:?}, not {row:?}");
    }
}

/// Demands of rows with a size that each begins where the one before ends; returns where
/// the last one ends.
fn without_gaps(heading: &str, table: &[Row]) -> u64 {
    let mut end = None;
    for row in table {
        let Some(size) = number(row[1]).filter(|_| !row[1].contains("each")) else { break };
        let start = number(row[0]).or(end).expect("the first row has a number");
        assert!(end.is_none_or(|end| end == start), "below {heading:?}: a gap before {row:?}");
        end = Some(start + size);
    }
    end.expect("the table has sizes")
}

/// As many tables as are below the heading.
fn all<const N: usize>(heading: &str) -> [Vec<Row>; N] {
    let found = tables(heading);
    let count = found.len();
    found.try_into().unwrap_or_else(|_| panic!("below {heading:?}: {count} tables, not {N}"))
}

#[test]
fn start_of_both_forms() {
    const HEADING: &str = "Start of both forms";
    let [start] = all(HEADING);
    let magic = layout::MAGIC.map(|byte| format!("{byte:02X}")).join(" ");
    let forms = format!("form: {FORM_LIVE} live, {FORM_COMPACT} compact");
    let mark = format!("byte-order mark `0x{BYTE_ORDER_MARK:08X}`");
    let rows = [
        (header::MAGIC as u64, &*magic),
        (
            header::VERSION as u64,
            &*format!("version: {LIVE_VERSION} live, {COMPACT_VERSION} compact"),
        ),
        (header::FORM as u64, &forms),
        (header::BYTE_ORDER as u64, &mark),
    ];
    has_rows(HEADING, &start, &rows);
    assert_eq!(without_gaps(HEADING, &start), header::COMPACT_LEN as u64);
}

#[test]
fn header_page() {
    const HEADING: &str = "Header page";
    let [page] = all(HEADING);
    let counts = format!(
        "{} if calls are not recorded; {} for calls, bytecodes, allocations and moved; \
         {} for calls, bytecodes, allocations, moved and bytes; {} for calls, bytecodes, allocations, moved, copies",
        metrics::NONE,
        metrics::CALLS,
        metrics::BYTES,
        metrics::COPIES
    );
    let end = header::METRICS as u64 + 4;
    let rows = [
        (header::COMMITTED as u64, "committed bytes"),
        (header::FIRST_SEGMENT as u64, "first metadata segment"),
        (header::FIRST_TREE as u64, "first tree record"),
        (header::CONTEXTS_LOST as u64, "contexts lost"),
        (header::FLOW as u64, "record of data flow"),
        (header::METRICS as u64, &*counts),
        (end, "| 0"),
    ];
    has_rows(HEADING, &page, &rows);
    assert_eq!(without_gaps(HEADING, &page), layout::ARENA_OFFSET as u64);
}

#[test]
fn nodes() {
    const HEADING: &str = "Nodes";
    let [words] = all(HEADING);
    let rows = [
        (node::METHOD.into(), "method id"),
        (node::NEXT_SIBLING.into(), "next node of the ring of siblings"),
        (node::CALLS.into(), "calls"),
        (node::IMPLICIT_SLOT.into(), "implicit slot, only with method flag 4"),
        (
            node::FIRST_SITE_SLOT.into(),
            "slot of the first call site of kind 0, only with method flag 4",
        ),
        (node::counters(method_flags::SLOTS).into(), "bytecodes counter, only with method flag 1"),
    ];
    has_rows(HEADING, &words, &rows);
    assert_eq!(node::IMPLICIT_SLOT, node::counters(0));
    let mut flags = method_flags::SLOTS;
    let optional = [
        (method_flags::BYTECODES_COUNTER, "bytecodes counter"),
        (method_flags::ALLOCATIONS_COUNTER, "allocations counter"),
        (method_flags::KINDS_COUNTERS, "counters of loads, stores, alu and comparisons"),
        (method_flags::COPIES_COUNTER, "copies counter"),
        (method_flags::MOVED_COUNTER, "counter of moved elements"),
    ];
    for (row, (flag, what)) in words[5..].iter().zip(optional) {
        let begins = node::call_counters(flags);
        flags |= flag;
        let size = node::call_counters(flags) - begins;
        assert_eq!(number(row[1]), Some(size.into()), "{what}");
        assert!(row[2].starts_with(what) && row[2].ends_with(&format!("method flag {flag}")));
    }
    assert_eq!(without_gaps(HEADING, &words), node::call_counters(flags).into());
    let each = [site_kind::COUNTED, site_kind::SLOT];
    let sizes = [node::behind_counters(flags, 1) - node::behind_counters(flags, 0), 1];
    assert_eq!(words.len(), 14);
    assert_eq!(words[11][1], "2 each");
    assert!(words[11][2].contains(&format!("method flag {}", method_flags::BLOCK_COUNTERS)));
    assert_eq!(words[12][1], "2 each");
    assert!(words[12][2].ends_with(&format!("method flag {}", method_flags::BYTES_COUNTERS)));
    for ((row, kind), size) in [&words[10], &words[13]].into_iter().zip(each).zip(sizes) {
        assert!(row[2].contains(&format!("each call site of kind {kind}")), "{row:?}");
        assert_eq!(row[1], format!("{size} each"));
    }
}

#[test]
fn tree_records() {
    const HEADING: &str = "Tree records";
    let [words] = all(HEADING);
    let rows = [
        (tree::NEXT.into(), "next tree record"),
        (tree::ROOT_SLOT.into(), "slot of the root nodes"),
        (tree::THREADS.into(), "number of threads"),
        (tree::ALLOCATION_CURSOR.into(), "allocation cursor"),
        (tree::ALLOCATION_END.into(), "allocation end"),
        (tree::LAST_CHUNK.into(), "words taken last"),
    ];
    has_rows(HEADING, &words, &rows);
    assert_eq!(words.len(), tree::WORDS as usize);
}

#[test]
fn data_flow() {
    const HEADING: &str = "Data flow";
    let [record, chunk, edges, relations, nulls, counters, met] = all(HEADING);
    let rows = [
        (dataflow::FIRST_EDGES.into(), "first chunk of edges"),
        (dataflow::FIRST_CONSUMED.into(), "first chunk of consumed shadows"),
        (dataflow::FIRST_FREQUENCIES.into(), "first counters of basic blocks"),
        (dataflow::LOST.into(), "counters of lost origins"),
        (dataflow::SHARED.into(), "large arrays in which neighbouring elements share"),
        (dataflow::SHARED_ELEMENTS.into(), "number of elements of the arrays"),
        (dataflow::FORGOTTEN.into(), "after the agent had dropped its last writers"),
        (dataflow::ELEMENT_BYTES.into(), "bytes of memory outside the file"),
        (dataflow::MISPLACED.into(), "last writers may be those of another array"),
    ];
    has_rows(HEADING, &record, &rows);
    assert_eq!(dataflow::TAGS, 131_072);
    let rows = [
        (dataflow::CHUNK_NEXT.into(), "next chunk"),
        (dataflow::CHUNK_ENTRIES.into(), "number of entries"),
        (dataflow::CHUNK_FIRST.into(), "the entries"),
    ];
    has_rows(HEADING, &chunk, &rows);
    let rows = [
        (edge::FROM.into(), "shadow of the stored value"),
        (edge::STORE.into(), "number of the store"),
        (edge::TO.into(), "tag of the object into which the value was stored"),
        (edge::COUNT.into(), "number of times"),
        (edge::NEXT.into(), "next edge with the same hash"),
        (u64::from(edge::WORDS) - 1, "| 0"),
    ];
    has_rows(HEADING, &edges, &rows);
    assert_eq!(without_gaps(HEADING, &edges), edge::WORDS.into());
    let rows = [
        (relation::LOADED.into(), "loaded"),
        (relation::STORED.into(), "stored"),
        (relation::OVERWRITTEN.into(), "overwrote"),
        (relation::DEPENDS.into(), "depends"),
        (relation::REFERS.into(), "refers"),
        (relation::BLOCK_OF.into(), "readers do not need this relation"),
    ];
    has_rows(HEADING, &relations, &rows);
    let rows = [
        (null::FLOWED.into(), "flowed"),
        (null::RAISED.into(), "raised"),
        (null::UNCAUGHT.into(), "uncaught"),
    ];
    has_rows(HEADING, &nulls, &rows);
    let rows = [
        (frequencies::NEXT.into(), "next counters"),
        (frequencies::METHOD.into(), "method id"),
        (frequencies::SLOT.into(), "context slot"),
        (3, "| 0"),
        (frequencies::OTHER.into(), "readers do not need it"),
        (frequencies::COUNT.into(), "number of counters"),
        (frequencies::MET.into(), "number of words about heap accesses"),
        (frequencies::RECEIVER.into(), &format!("bit {} set", frequencies::DECIDED.ilog2())),
        (frequencies::FIRST.into(), "the counters, u64"),
    ];
    has_rows(HEADING, &counters, &rows);
    let bits = (frequencies::USUAL_TAG.count_ones(), frequencies::DECIDED.ilog2());
    let rows = [
        (0, &*format!("the lower {} bits are the *usual* tag", bits.0)),
        (frequencies::OTHERS.into(), "the access met objects with another tag"),
    ];
    has_rows(HEADING, &met, &rows);
    assert!(met[0][1].contains(&format!("sets bit {} after the decision", bits.1)));
}

#[test]
fn metadata_segments() {
    const HEADING: &str = "Metadata segments";
    let [words, head, kinds, flags, sites, keys] = all(HEADING);
    let rows = [
        (segment::NEXT.into(), "next segment"),
        (segment::CAPACITY.into(), "capacity"),
        (segment::USED.into(), "used"),
        (3, "| 0"),
        (segment::RECORDS.into(), "records"),
    ];
    has_rows(HEADING, &words, &rows);
    has_rows(HEADING, &head, &[(0, "kind"), (1, "length of the payload"), (5, "payload")]);
    assert_eq!(without_gaps(HEADING, &head), record::HEADER_LEN as u64);
    let rows = [
        (record::CLASS.into(), "class"),
        (record::TREE_NAME.into(), "tree name"),
        (record::SKIPPED.into(), "skipped"),
        (record::RUN_INFO.into(), "run info"),
        (record::END.into(), "end"),
        (record::ALLOCATION_SITE.into(), "allocation site"),
        (record::TAG.into(), "tag"),
        (record::TAG_CONTEXT.into(), "tag context"),
        (record::BIRTHS.into(), "births"),
        (record::OBJECT_SIZE.into(), "object size"),
        (record::TAG_SCHEME.into(), "tag scheme"),
        (record::FIELD.into(), "field"),
        (record::STORES.into(), "stores"),
        (record::STRUCTURE.into(), "structure"),
        (record::COST_NODES.into(), "cost nodes"),
        (record::NULL_NODES.into(), "null nodes"),
        (record::LOOP.into(), "loop"),
        (record::LOOP_TOTALS.into(), "totals of loops"),
        (record::GROWTH.into(), "growth"),
        (record::GROWTH_TOTALS.into(), "totals of growth"),
        (record::RESULTS.into(), "results"),
        (record::RESULTS_TOTALS.into(), "totals of results"),
        (record::BLOCKS.into(), "blocks"),
        (record::PROTOCOL.into(), "protocol"),
        (record::TYPESTATE_SITE.into(), "typestate site"),
        (record::TYPESTATE_NODE.into(), "typestate node"),
        (record::TYPESTATE_TOTALS.into(), "totals of typestates"),
        (record::CODE.into(), "code"),
        (record::DEFINITION.into(), "definition"),
    ];
    has_named_rows(HEADING, &kinds, &rows);
    let rows = [
        (method_flags::BYTECODES_COUNTER.into(), "a bytecodes counter"),
        (method_flags::ALLOCATIONS_COUNTER.into(), "an allocations counter"),
        (method_flags::SLOTS.into(), "slots are in use"),
        (method_flags::KINDS_COUNTERS.into(), "counters of loads, stores, alu and comparisons"),
        (method_flags::COPIES_COUNTER.into(), "a copies counter"),
        (method_flags::MOVED_COUNTER.into(), "a counter of moved elements"),
        (method_flags::BLOCK_COUNTERS.into(), "counters of basic blocks"),
        (method_flags::BYTES_COUNTERS.into(), "counters of allocated bytes"),
    ];
    has_rows(HEADING, &flags, &rows);
    let rows = [
        (site_kind::SLOT, "has a slot"),
        (site_kind::DERIVED, "derived"),
        (site_kind::COUNTED, "counted"),
    ];
    has_rows(HEADING, &sites, &rows);
    let mut named: Vec<&str> =
        keys.iter().flat_map(|row| row[0].split(", ")).map(|name| name.trim_matches('`')).collect();
    named.sort_unstable();
    let of_samples = crate::sampling::Sampling::default().pairs();
    let of_samples = of_samples.iter().map(|(name, _)| name.as_str());
    let mut known = vec![
        key::JVM,
        key::COMMAND_LINE,
        key::OPTIONS,
        key::WRITER,
        key::PROCESS_ID,
        key::START_MILLIS,
        key::END_MILLIS,
        key::STOPPED_MILLIS,
        key::CONTEXTS_LOST,
        key::SHORTAGE,
        key::CALLS_LOST,
        key::BYTECODES_LOST,
        key::ACTIVE_AT_END,
        key::RECORDING_BYTES,
        key::ATTACHED,
        key::COMPLETENESS,
        key::IMPORTED_FROM,
        "label.NAME",
        "split.METHOD",
    ];
    known.extend(of_samples);
    assert_eq!((key::LABEL, key::SPLIT), ("label.", "split."));
    known.sort_unstable();
    assert_eq!(named, known, "docs/reference/format.md on the left");
}

/// As [`has_rows`], for rows whose first cell is a number and a name.
fn has_named_rows(heading: &str, table: &[Row], expected: &[(u64, &str)]) {
    has_rows(heading, table, expected);
    for (row, (number, name)) in table.iter().zip(expected) {
        assert_eq!(row[0], format!("{number} {name}"), "below {heading:?}");
    }
}

#[test]
fn sections() {
    use section::kind;

    const HEADING: &str = "Compact form";
    let [head, kinds] = all(HEADING);
    let rows = [(0, "kind"), (4, "CRC-32"), (8, "length of the payload"), (16, "payload")];
    has_rows(HEADING, &head, &rows);
    assert_eq!(without_gaps(HEADING, &head), section::HEADER_LEN as u64);
    let rows = [
        (kind::RUN.into(), "run"),
        (kind::STRINGS.into(), "strings"),
        (kind::CLASSES.into(), "classes"),
        (kind::METHODS.into(), "methods"),
        (kind::SITES.into(), "sites"),
        (kind::THREADS.into(), "threads"),
        (kind::SKIPPED.into(), "skipped"),
        (kind::METRICS.into(), "metrics"),
        (kind::NODES.into(), "nodes"),
        (kind::END.into(), "end"),
        (kind::COPIES.into(), "copies"),
        (kind::COSTS.into(), "costs"),
        (kind::NULLS.into(), "nulls"),
        (kind::LOOPS.into(), "loops"),
        (kind::GROWTH.into(), "growth"),
        (kind::BLOCKS.into(), "blocks"),
        (kind::RESULTS.into(), "results"),
        (kind::TYPESTATES.into(), "typestates"),
        (kind::ALLOCATED.into(), "allocated"),
        (kind::CODE.into(), "code"),
        (kind::DEFINITIONS.into(), "definitions"),
        (kind::EMPTY_RESULTS.into(), "empty results"),
    ];
    has_named_rows(HEADING, &kinds, &rows);
}

#[test]
fn blocks_of_contexts() {
    const HEADING: &str = "Blocks of contexts";
    let [head, columns] = all(HEADING);
    let rows = [(0, "number of contexts"), (4, "number of columns"), (8, "the columns")];
    has_rows(HEADING, &head, &rows);
    let rows = [
        (block::STEPS as u64, "steps"),
        (block::METHOD as u64, "method"),
        (block::SITE as u64, "site"),
        (block::FIRST_METRIC as u64, "…"),
    ];
    has_named_rows(HEADING, &columns, &rows);
}

#[test]
fn versions() {
    let [versions] = all("Versions");
    let numbers: Vec<Option<u64>> = versions.iter().map(|row| number(row[0])).collect();
    let known: Vec<Option<u64>> =
        (1..=LIVE_VERSION.max(COMPACT_VERSION).into()).map(Some).collect();
    assert_eq!(numbers, known, "docs/reference/format.md on the left");
}

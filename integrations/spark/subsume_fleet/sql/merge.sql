-- The contexts of the selected runs, merged by their keys. `first` says where a context first
-- appears: the place of the run times 2^32, plus its own; in that order a caller is before
-- what it calls, and children are in the order of the merged tree. `rows` says of how many
-- contexts one was merged.
--
-- Reads contexts, chosen, named, selected (run_id, place).
with placed as (
    select s.place, c.*
    from chosen c
    join selected s on s.run_id = c.run_id
),
merged as (
    -- All rows of a key have the same caller, method and call site; any label names it.
    select /*+ broadcast(h) */
           c.key_hi, c.key_lo,
           min(cast(h.place as bigint) * 4294967296 + c.place) as first,
           min(c.parent_hi) as parent_hi, min(c.parent_lo) as parent_lo,
           min(case when c.method < 0 then h.own_base else h.shared_base end + c.method)
               as label,
           min(c.bytecode_index) as bytecode_index, min(c.line) as line,
           sum(c.calls) as calls, sum(c.bytecodes) as bytecodes,
           sum(c.allocations) as allocations, sum(c.moved) as moved, sum(c.bytes) as bytes,
           sum(c.exclusive) as exclusive,
           count(c.calls) as with_calls, count(c.bytecodes) as with_bytecodes,
           count(c.allocations) as with_allocations, count(c.moved) as with_moved,
           count(c.bytes) as with_bytes,
           count(*) as merged_rows
    from contexts c
    join placed h on h.run_key = c.run_key
    group by c.key_hi, c.key_lo
)
-- Whole numbers of 64 bits in all engines.
select d.first, d.key_hi, d.key_lo, d.parent_hi, d.parent_lo, n.method_hi, n.method_lo,
       cast(d.bytecode_index as bigint) as bytecode_index, cast(d.line as bigint) as line,
       cast(case when d.with_calls = d.merged_rows then d.calls end as bigint) as calls,
       cast(case when d.with_bytecodes = d.merged_rows then d.bytecodes end as bigint)
           as bytecodes,
       cast(case when d.with_allocations = d.merged_rows then d.allocations end as bigint)
           as allocations,
       cast(case when d.with_moved = d.merged_rows then d.moved end as bigint) as moved,
       cast(case when d.with_bytes = d.merged_rows then d.bytes end as bigint) as bytes,
       cast(d.exclusive as bigint) as exclusive, d.merged_rows as rows
from merged d
join named n on n.label = d.label

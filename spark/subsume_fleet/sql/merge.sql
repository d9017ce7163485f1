-- The contexts of the selected runs, merged by their keys. `first` says where a context first
-- appears: the place of the run times 2^32, plus its own; in that order a caller is before
-- what it calls, and children are in the order of the merged tree. `rows` says of how many
-- contexts one was merged.
--
-- Reads runs, methods, contexts, selected (run_id, place).
with numbers as (
    -- Tables of names by number, so that rows need not carry their names.
    select t.methods_table as method_table,
           row_number() over (order by t.methods_table) as number
    from (select distinct r.methods_table from runs r join selected s on s.run_id = r.run_id) t
    union all
    select s.run_id as method_table, 1000000000 + s.place as number from selected s
),
named as (
    -- Numbers of methods are from -2^31 to 2^31 - 1.
    select distinct n.number * 4294967296 + m.method + 2147483648 as label,
           m.method_hi, m.method_lo
    from methods m
    join numbers n on n.method_table = m.table
),
chosen as (
    select s.run_id, s.place, n.number as shared_number, 1000000000 + s.place as own_number
    from selected s
    join runs r on r.run_id = s.run_id
    join numbers n on n.method_table = r.methods_table
),
merged as (
    -- All rows of a key have the same caller, method and call site; any label names it.
    select c.key_hi, c.key_lo,
           min(cast(h.place as bigint) * 4294967296 + c.place) as first,
           min(c.parent_hi) as parent_hi, min(c.parent_lo) as parent_lo,
           min(cast(case when c.method < 0 then h.own_number else h.shared_number end as bigint)
               * 4294967296 + c.method + 2147483648) as label,
           min(c.bytecode_index) as bytecode_index, min(c.line) as line,
           sum(c.calls) as calls, sum(c.bytecodes) as bytecodes,
           sum(c.allocations) as allocations, sum(c.moved) as moved, sum(c.exclusive) as exclusive,
           count(c.calls) as with_calls, count(c.bytecodes) as with_bytecodes,
           count(c.allocations) as with_allocations, count(c.moved) as with_moved,
           count(*) as merged_rows
    from contexts c
    join chosen h on h.run_id = c.run_id
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
       cast(d.exclusive as bigint) as exclusive, d.merged_rows as rows
from merged d
join named n on n.label = d.label

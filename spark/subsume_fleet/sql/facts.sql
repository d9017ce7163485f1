-- What the summaries of the selected runs say of each method together: a row for each
-- method that was executed.
--
-- Reads runs, methods, method_runs, selected (run_id).
with named as (
    -- Programs of the same methods have tables of one name, with the same rows.
    select distinct m.table as method_table, m.method, m.method_hi, m.method_lo,
           m.class, m.name, m.descriptor
    from methods m
),
numbered as (
    select case when x.method < 0 then x.run_id else r.methods_table end as method_table,
           x.method, x.height, x.depth, x.is_root, x.exclusive, x.inclusive, x.calls, x.contexts
    from method_runs x
    join selected s on s.run_id = x.run_id
    join runs r on r.run_id = x.run_id
),
summed as (
    select n.method_table, n.method,
           max(n.height) as height, max(n.depth) as depth, max(n.is_root) as is_root,
           sum(n.exclusive) as exclusive, sum(n.inclusive) as inclusive,
           sum(n.calls) as calls, count(n.calls) as runs_with_calls,
           sum(n.contexts) as contexts, count(*) as runs
    from numbered n
    group by n.method_table, n.method
),
together as (
    select m.method_hi, m.method_lo, m.class, m.name, m.descriptor,
           max(s.height) as height, max(s.depth) as depth, max(s.is_root) as is_root,
           sum(s.exclusive) as exclusive, sum(s.inclusive) as inclusive,
           case when sum(s.runs_with_calls) = sum(s.runs) then sum(s.calls) end as calls,
           sum(s.contexts) as contexts, sum(s.runs) as runs
    from summed s
    join named m on m.method_table = s.method_table and m.method = s.method
    group by m.method_hi, m.method_lo, m.class, m.name, m.descriptor
)
-- Ties are broken by name.
select t.*, row_number() over (order by t.class, t.name, t.descriptor) as place
from together t

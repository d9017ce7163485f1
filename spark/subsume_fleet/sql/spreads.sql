-- Own costs of methods by side: least, greatest and sum of the runs that executed them.
-- Inclusive costs are known of the metric of the runs only. Methods have no path.
--
-- Reads runs, methods, method_runs, selected (run_id, side), parameters (metric).
with named as (
    select distinct m.table as method_table, m.method, m.method_hi, m.method_lo,
           m.class, m.name, m.descriptor
    from methods m
),
numbered as (
    select s.side,
           case when x.method < 0 then x.run_id else r.methods_table end as method_table,
           x.method,
           case p.metric when 'calls' then x.calls when 'bytecodes' then x.bytecodes
                when 'allocations' then x.allocations else x.exclusive end as cost,
           case when r.metric = p.metric then x.inclusive end as inclusive
    from method_runs x
    join selected s on s.run_id = x.run_id
    join runs r on r.run_id = x.run_id
    cross join parameters p
),
summed as (
    select n.side, n.method_table, n.method, min(n.cost) as least, max(n.cost) as greatest,
           sum(n.cost) as cost, sum(n.inclusive) as inclusive, count(*) as runs
    from numbered n
    group by n.side, n.method_table, n.method
)
select s.side, m.class, m.name, m.descriptor, 0 as path_hi, 0 as path_lo, 0 as first,
       min(s.least) as least, max(s.greatest) as greatest,
       sum(s.cost) as cost, sum(s.inclusive) as inclusive, sum(s.runs) as runs
from summed s
join named m on m.method_table = s.method_table and m.method = s.method
group by s.side, m.class, m.name, m.descriptor

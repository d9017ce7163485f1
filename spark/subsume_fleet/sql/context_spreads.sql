-- Own costs of calling contexts by side, as spreads.sql has those of methods. Contexts are
-- paths of methods: threads and call sites are merged. `first` says where one appears: the
-- place of a run times 2^32, plus its place there.
--
-- Reads runs, methods, contexts, selected (run_id, side, place), parameters (metric).
with numbers as (
    select t.methods_table as method_table,
           row_number() over (order by t.methods_table) as number
    from (select distinct r.methods_table from runs r join selected s on s.run_id = r.run_id) t
    union all
    select s.run_id as method_table, 1000000000 + s.place as number from selected s
),
named as (
    select distinct n.number * 4294967296 + m.method + 2147483648 as label,
           m.class, m.name, m.descriptor
    from methods m
    join numbers n on n.method_table = m.table
),
chosen as (
    select s.run_id, s.side, s.place, p.metric, n.number as shared_number,
           1000000000 + s.place as own_number
    from selected s
    join runs r on r.run_id = s.run_id
    join numbers n on n.method_table = r.methods_table
    cross join parameters p
),
of_run as (
    select h.side, h.place, c.path_hi, c.path_lo,
           min(cast(h.place as bigint) * 4294967296 + c.place) as first,
           min(cast(case when c.method < 0 then h.own_number else h.shared_number end as bigint)
               * 4294967296 + c.method + 2147483648) as label,
           sum(case h.metric when 'calls' then c.calls when 'bytecodes' then c.bytecodes
                    when 'allocations' then c.allocations else c.exclusive end) as cost
    from contexts c
    join chosen h on h.run_id = c.run_id
    group by h.side, h.place, c.path_hi, c.path_lo
),
summed as (
    select o.side, o.path_hi, o.path_lo, min(o.first) as first, min(o.label) as label,
           min(o.cost) as least, max(o.cost) as greatest, sum(o.cost) as cost,
           count(*) as runs
    from of_run o
    group by o.side, o.path_hi, o.path_lo
)
select s.side, n.class, n.name, n.descriptor, s.path_hi, s.path_lo, s.first, s.least,
       s.greatest, s.cost, s.runs
from summed s
join named n on n.label = s.label

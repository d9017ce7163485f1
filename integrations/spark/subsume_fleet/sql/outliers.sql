-- For each value of each label the runs that have it beside all others, and the method
-- whose own cost differs most. What sets runs apart comes first.
--
-- Reads runs, method_runs, chosen, named, selected (run_id), labels (run_id, label, value),
-- parameters (metric).
with costs as (
    select r.run_id,
           case p.metric when 'calls' then r.calls when 'bytecodes' then r.bytecodes
                when 'allocations' then r.allocations else r.total end as cost
    from runs r
    join selected s on s.run_id = r.run_id
    cross join parameters p
),
counted as (
    select count(*) as runs from costs c
),
compared as (
    -- Values that all runs have tell nothing.
    select l.label, l.value, count(*) as runs
    from labels l
    join costs c on c.run_id = l.run_id
    cross join counted n
    group by l.label, l.value, n.runs
    having count(*) < n.runs
),
members as (
    select v.label, v.value, c.cost, case when l.run_id is null then 0 else 1 end as has_it
    from compared v
    cross join costs c
    left join labels l on l.run_id = c.run_id and l.label = v.label and l.value = v.value
),
sides as (
    select m.label, m.value,
           sum(m.has_it) as runs_with,
           min(case when m.has_it = 1 then m.cost end) as least_with,
           max(case when m.has_it = 1 then m.cost end) as greatest_with,
           cast(sum(case when m.has_it = 1 then m.cost end) as double) / sum(m.has_it)
               as mean_with,
           sum(1 - m.has_it) as runs_without,
           min(case when m.has_it = 0 then m.cost end) as least_without,
           max(case when m.has_it = 0 then m.cost end) as greatest_without,
           cast(sum(case when m.has_it = 0 then m.cost end) as double) / sum(1 - m.has_it)
               as mean_without
    from members m
    group by m.label, m.value
),
labelled as (
    select /*+ broadcast(c, p) */
           c.run_id,
           case when x.method < 0 then c.own_base else c.shared_base end + x.method as method,
           case p.metric when 'calls' then x.calls when 'bytecodes' then x.bytecodes
                when 'allocations' then x.allocations else x.exclusive end as cost
    from method_runs x
    join chosen c on c.run_key = x.run_key
    cross join parameters p
),
of_value as (
    select s.label, s.value, n.class, n.name, n.descriptor, sum(s.cost) as cost
    from (
        select /*+ broadcast(l) */ l.label, l.value, x.method, sum(x.cost) as cost
        from labelled x
        join labels l on l.run_id = x.run_id
        group by l.label, l.value, x.method
    ) s
    join named n on n.label = s.method
    group by s.label, s.value, n.class, n.name, n.descriptor
),
of_all as (
    select n.class, n.name, n.descriptor, sum(s.cost) as cost
    from (select x.method, sum(x.cost) as cost from labelled x group by x.method) s
    join named n on n.label = s.method
    group by n.class, n.name, n.descriptor
),
differing as (
    select v.label, v.value, a.class, a.name, a.descriptor,
           cast(coalesce(o.cost, 0) as double) / v.runs
               - cast(a.cost - coalesce(o.cost, 0) as double) / (n.runs - v.runs) as difference
    from compared v
    cross join of_all a
    cross join counted n
    left join of_value o on o.label = v.label and o.value = v.value and o.class = a.class
        and o.name = a.name and o.descriptor = a.descriptor
),
ranked as (
    select d.*,
           row_number() over (
               partition by d.label, d.value
               order by abs(d.difference) desc, d.class desc, d.name desc, d.descriptor desc
           ) as rank_of_it
    from differing d
    where d.difference <> 0
),
shared as (
    select s.*,
           case when s.least_with > s.greatest_without or s.greatest_with < s.least_without
                then 1 else 0 end as apart,
           case when s.mean_without = 0 then cast(0 as double)
                else (s.mean_with - s.mean_without) / s.mean_without end as share
    from sides s
)
select s.label, s.value, s.runs_with, s.least_with, s.greatest_with, s.mean_with,
       s.runs_without, s.least_without, s.greatest_without, s.mean_without, s.share, s.apart,
       d.class, d.name, d.descriptor, d.difference
from shared s
left join ranked d on d.label = s.label and d.value = s.value and d.rank_of_it = 1
order by s.apart desc, abs(s.share) desc, s.label, s.value

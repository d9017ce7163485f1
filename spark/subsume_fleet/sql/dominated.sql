-- The dominators that a method has in all of the selected runs, at the greatest distance.
--
-- Reads runs, methods, dominators, selected (run_id), facts.
with named as (
    select distinct m.table as method_table, m.method, m.method_hi, m.method_lo
    from methods m
),
numbered as (
    select case when d.method < 0 then d.run_id else r.methods_table end as method_table,
           case when d.dominator < 0 then d.run_id else r.methods_table end as dominator_table,
           d.method, d.dominator, d.distance
    from dominators d
    join selected s on s.run_id = d.run_id
    join runs r on r.run_id = d.run_id
),
summed as (
    select n.method_table, n.method, n.dominator_table, n.dominator,
           max(n.distance) as distance, count(*) as runs
    from numbered n
    group by n.method_table, n.method, n.dominator_table, n.dominator
),
together as (
    select m.method_hi, m.method_lo, a.method_hi as above_hi, a.method_lo as above_lo,
           max(s.distance) as distance, sum(s.runs) as runs
    from summed s
    join named m on m.method_table = s.method_table and m.method = s.method
    join named a on a.method_table = s.dominator_table and a.method = s.dominator
    group by m.method_hi, m.method_lo, a.method_hi, a.method_lo
)
select f.place, a.place as dominator, t.distance
from together t
join facts f on f.method_hi = t.method_hi and f.method_lo = t.method_lo and f.runs = t.runs
join facts a on a.method_hi = t.above_hi and a.method_lo = t.above_lo

-- The dominators that a method has in all of the selected runs, at the greatest distance.
--
-- Reads dominators, chosen, named, facts.
with places as (
    select n.label, f.place, f.runs
    from named n
    join facts f on f.method_hi = n.method_hi and f.method_lo = n.method_lo
),
labelled as (
    select /*+ broadcast(c) */
           case when d.method < 0 then c.own_base else c.shared_base end + d.method as label,
           case when d.dominator < 0 then c.own_base else c.shared_base end + d.dominator
               as dominator,
           d.distance
    from dominators d
    join chosen c on c.run_id = d.run_id
),
summed as (
    select l.label, l.dominator, max(l.distance) as distance, count(*) as runs
    from labelled l
    group by l.label, l.dominator
),
together as (
    select p.place, a.place as dominator, p.runs as executed,
           max(s.distance) as distance, sum(s.runs) as runs
    from summed s
    join places p on p.label = s.label
    join places a on a.label = s.dominator
    group by p.place, a.place, p.runs
)
select t.place, t.dominator, t.distance
from together t
where t.runs = t.executed

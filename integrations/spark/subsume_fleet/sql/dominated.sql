-- The dominators that a method has in all of the selected runs, at the greatest distance.
--
-- Reads dominators, chosen, places.
select p.place, a.place as dominator, max(s.distance) as distance
from (
    select l.label, l.dominator, max(l.distance) as distance, count(*) as runs
    from (
        select /*+ broadcast(c) */
               case when d.method < 0 then c.own_base else c.shared_base end + d.method
                   as label,
               case when d.dominator < 0 then c.own_base else c.shared_base end + d.dominator
                   as dominator,
               d.distance
        from dominators d
        join chosen c on c.run_key = d.run_key
    ) l
    group by l.label, l.dominator
) s
join places p on p.label = s.label
join places a on a.label = s.dominator
group by p.place, a.place, p.runs
having sum(s.runs) = p.runs

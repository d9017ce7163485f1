-- The methods on the paths of some contexts, from the root to the context itself.
--
-- Reads runs, methods, contexts, wanted (number, run_id, place).
with named as (
    select distinct m.table as method_table, m.method, m.class, m.name, m.descriptor
    from methods m
)
select w.number, c.place, n.class, n.name, n.descriptor
from wanted w
join contexts c on c.run_id = w.run_id and c.place <= w.place and c.last >= w.place
join runs r on r.run_id = c.run_id
join named n on n.method = c.method
    and n.method_table = case when c.method < 0 then c.run_id else r.methods_table end
order by w.number, c.place

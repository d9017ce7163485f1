-- The methods on the paths of some contexts, from the root to the context itself.
--
-- Reads contexts, chosen, named, wanted (number, run_id, place).
select w.number, c.place, n.class, n.name, n.descriptor
from wanted w
join chosen h on h.run_id = w.run_id
join contexts c on c.run_key = h.run_key and c.place <= w.place and c.last >= w.place
join named n
    on n.label = case when c.method < 0 then h.own_base else h.shared_base end + c.method
order by w.number, c.place

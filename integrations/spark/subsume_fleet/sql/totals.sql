-- Costs of whole runs by side.
--
-- Reads runs, selected (run_id, side), parameters (metric).
select s.side, count(*) as runs, min(c.cost) as least, max(c.cost) as greatest,
       sum(c.cost) as cost, cast(sum(c.cost) as double) / count(*) as mean
from selected s
join (
    select r.run_id,
           case p.metric when 'calls' then r.calls when 'bytecodes' then r.bytecodes
                when 'allocations' then r.allocations else r.total end as cost
    from runs r
    cross join parameters p
) c on c.run_id = s.run_id
group by s.side

-- Own costs of methods by side: least, greatest and sum of the runs that executed them.
-- Inclusive costs are known of the metric of the runs only. Methods have no path.
--
-- Reads method_runs, chosen, named, selected (run_id, side), parameters (metric).
select s.side, n.class, n.name, n.descriptor, 0 as path_hi, 0 as path_lo, 0 as first,
       min(s.least) as least, max(s.greatest) as greatest,
       sum(s.cost) as cost, sum(s.inclusive) as inclusive, sum(s.runs) as runs
from (
    select l.side, l.label, min(l.cost) as least, max(l.cost) as greatest,
           sum(l.cost) as cost, sum(l.inclusive) as inclusive, count(*) as runs
    from (
        select /*+ broadcast(h) */
               h.side,
               case when x.method < 0 then h.own_base else h.shared_base end + x.method
                   as label,
               case h.asked when 'calls' then x.calls when 'bytecodes' then x.bytecodes
                    when 'allocations' then x.allocations else x.exclusive end as cost,
               case when h.metric = h.asked then x.inclusive end as inclusive
        from method_runs x
        join (
            select s.side, c.*, p.metric as asked
            from chosen c
            join selected s on s.run_id = c.run_id
            cross join parameters p
        ) h on h.run_key = x.run_key
    ) l
    group by l.side, l.label
) s
join named n on n.label = s.label
group by s.side, n.class, n.name, n.descriptor

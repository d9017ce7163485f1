-- Own costs of calling contexts by side, as spreads.sql has those of methods. Contexts are
-- paths of methods: threads and call sites are merged. `first` says where one appears: the
-- place of a run times 2^32, plus its place there.
--
-- Reads contexts, chosen, named, selected (run_id, side, place), parameters (metric).
select s.side, n.class, n.name, n.descriptor, s.path_hi, s.path_lo, s.first, s.least,
       s.greatest, s.cost, s.runs
from (
    select o.side, o.path_hi, o.path_lo, min(o.first) as first, min(o.label) as label,
           min(o.cost) as least, max(o.cost) as greatest, sum(o.cost) as cost,
           count(*) as runs
    from (
        select /*+ broadcast(h) */
               h.side, h.place, c.path_hi, c.path_lo,
               min(cast(h.place as bigint) * 4294967296 + c.place) as first,
               min(case when c.method < 0 then h.own_base else h.shared_base end + c.method)
                   as label,
               sum(case h.asked when 'calls' then c.calls when 'bytecodes' then c.bytecodes
                        when 'allocations' then c.allocations else c.exclusive end) as cost
        from contexts c
        join (
            select s.side, s.place, c.*, p.metric as asked
            from chosen c
            join selected s on s.run_id = c.run_id
            cross join parameters p
        ) h on h.run_key = c.run_key
        group by h.side, h.place, c.path_hi, c.path_lo
    ) o
    group by o.side, o.path_hi, o.path_lo
) s
join named n on n.label = s.label

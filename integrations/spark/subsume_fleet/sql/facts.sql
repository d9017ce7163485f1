-- What the summaries of the selected runs say of each method together: a row for each
-- method that was executed. Ties are broken by name.
--
-- Reads method_runs, chosen, named.
select t.*, row_number() over (order by t.class, t.name, t.descriptor) as place
from (
    select n.method_hi, n.method_lo, n.class, n.name, n.descriptor,
           max(s.height) as height, max(s.depth) as depth, max(s.is_root) as is_root,
           sum(s.exclusive) as exclusive, sum(s.inclusive) as inclusive,
           case when sum(s.runs_with_calls) = sum(s.runs) then sum(s.calls) end as calls,
           sum(s.contexts) as contexts, sum(s.runs) as runs
    from (
        select l.label,
               max(l.height) as height, max(l.depth) as depth, max(l.is_root) as is_root,
               sum(l.exclusive) as exclusive, sum(l.inclusive) as inclusive,
               sum(l.calls) as calls, count(l.calls) as runs_with_calls,
               sum(l.contexts) as contexts, count(*) as runs
        from (
            select /*+ broadcast(c) */
                   case when x.method < 0 then c.own_base else c.shared_base end + x.method
                       as label,
                   x.height, x.depth, x.is_root, x.exclusive, x.inclusive, x.calls, x.contexts
            from method_runs x
            join chosen c on c.run_key = x.run_key
        ) l
        group by l.label
    ) s
    join named n on n.label = s.label
    group by n.method_hi, n.method_lo, n.class, n.name, n.descriptor
) t

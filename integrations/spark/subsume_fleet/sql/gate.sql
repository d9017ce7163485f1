-- Methods, or contexts, whose own costs differ between the runs before and after, the greatest
-- difference first. `verdict` is
--   constant  one cost in all runs before and another one in all after,
--   below     constant, but the difference is below the floor,
--   above     varying, and each run after costs more than any before, by 2 % at least,
--   little    as above, but the difference is below the floor,
--   varying   varying otherwise.
--
-- Reads totals, spreads or context_spreads as spreads, parameters (floor, a part of the mean
-- before; sampled, 1 if costs are samples).
with sides as (
    -- The same for all rows of a method without contexts.
    select s.class, s.name, s.descriptor, s.path_hi, s.path_lo, min(s.first) as first,
           sum(case when s.side = 'before' then s.runs else 0 end) as runs_before,
           sum(case when s.side = 'before' then s.cost else 0 end) as cost_before,
           min(case when s.side = 'before' then s.least end) as least_before,
           max(case when s.side = 'before' then s.greatest else 0 end) as greatest_before,
           sum(case when s.side = 'after' then s.runs else 0 end) as runs_after,
           sum(case when s.side = 'after' then s.cost else 0 end) as cost_after,
           min(case when s.side = 'after' then s.least end) as least_after,
           max(case when s.side = 'after' then s.greatest else 0 end) as greatest_after
    from spreads s
    group by s.class, s.name, s.descriptor, s.path_hi, s.path_lo
),
compared as (
    -- A run that did not execute a method has a cost of 0.
    select m.class, m.name, m.descriptor, m.path_hi, m.path_lo, m.first,
           case when m.runs_before = b.runs then m.least_before else 0 end as least_before,
           m.greatest_before,
           cast(m.cost_before as double) / b.runs as mean_before,
           case when m.runs_after = a.runs then m.least_after else 0 end as least_after,
           m.greatest_after,
           cast(m.cost_after as double) / a.runs as mean_after,
           p.floor * b.mean as floor, p.sampled
    from sides m
    cross join parameters p
    join totals b on b.side = 'before'
    join totals a on a.side = 'after'
    where m.cost_before + m.cost_after > 0
),
differences as (
    select c.*, c.mean_after - c.mean_before as difference,
           -- That samples are the same says nothing.
           case when c.sampled = 0 and c.least_before = c.greatest_before
                     and c.least_after = c.greatest_after
                then 1 else 0 end as is_constant
    from compared c
),
judged as (
    select d.*,
           case when d.is_constant = 1 and d.difference = 0 then 'same'
                when d.is_constant = 1 and abs(d.difference) >= d.floor then 'constant'
                when d.is_constant = 1 then 'below'
                when d.least_after > d.greatest_before
                     and d.difference >= cast(0.02 as double) * d.mean_before
                then case when d.difference >= d.floor then 'above' else 'little' end
                else 'varying' end as verdict
    from differences d
)
select j.verdict, j.class, j.name, j.descriptor, j.first, j.least_before, j.greatest_before,
       j.mean_before, j.least_after, j.greatest_after, j.mean_after, j.difference
from judged j
where j.verdict <> 'same'
order by abs(j.difference) desc, j.class, j.name, j.descriptor, j.path_hi, j.path_lo

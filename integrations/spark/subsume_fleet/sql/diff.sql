-- Own and inclusive costs of methods before and after, where they differ. Of selections
-- of other sizes costs are multiplied, so that both stand for as many runs.
--
-- Reads spreads, parameters (times_before, times_after).
with sides as (
    select s.class, s.name, s.descriptor,
           sum(case when s.side = 'before' then s.cost * p.times_before else 0 end) as before,
           sum(case when s.side = 'after' then s.cost * p.times_after else 0 end) as after,
           sum(case when s.side = 'before' then s.inclusive * p.times_before else 0 end)
               as inclusive_before,
           sum(case when s.side = 'after' then s.inclusive * p.times_after else 0 end)
               as inclusive_after,
           min(case when s.inclusive is null then 0 else 1 end) as has_inclusive
    from spreads s
    cross join parameters p
    group by s.class, s.name, s.descriptor
)
select d.class, d.name, d.descriptor, d.before, d.after, d.after - d.before as difference,
       case when d.has_inclusive = 1 then d.inclusive_before end as inclusive_before,
       case when d.has_inclusive = 1 then d.inclusive_after end as inclusive_after
from sides d
where d.after <> d.before
   or d.has_inclusive = 1 and d.inclusive_after <> d.inclusive_before
order by abs(d.after - d.before) desc, d.class, d.name, d.descriptor

-- Which methods subsume: a row for each method that was executed.
--
-- Reads facts, dominated, parameters (height, distance), never (class, name).
with roots as (
    -- Several methods of roots have a virtual one above them.
    select sum(f.is_root) as methods, max(f.place) + 1 as virtual from facts f
),
candidates as (
    select d.place, d.dominator, d.distance from dominated d
    union all
    select f.place, r.virtual, f.depth from facts f cross join roots r where r.methods > 1
),
ranked as (
    select c.place, c.dominator, c.distance,
           row_number() over (partition by c.place order by c.distance, c.dominator) as nearness
    from candidates c
),
nearest as (
    select n.place, n.dominator, n.distance,
           case when n.dominator = r.virtual and n.distance = 1 then 1 else 0 end as is_root
    from ranked n
    cross join roots r
    where n.nearness = 1
),
known as (
    -- What is below the virtual root in all runs has none above it that counts.
    select f.place, f.class, f.name, f.descriptor, f.height, f.exclusive, f.inclusive, f.calls,
           f.contexts, f.runs,
           case when n.is_root = 0 then n.distance end as distance,
           case when n.is_root = 0 then n.dominator end as dominator,
           case when r.methods = 1 and f.is_root = 1 then 1 else 0 end as is_only_root
    from facts f
    cross join roots r
    left join nearest n on n.place = f.place
)
select k.place, k.class, k.name, k.descriptor, k.height, k.distance, k.exclusive, k.inclusive,
       k.calls, k.contexts, k.runs,
       case when k.dominator is null then 0 when a.place is null then 2 else 1 end as dominated_by,
       a.class as dominator_class, a.name as dominator_name,
       a.descriptor as dominator_descriptor,
       case when k.is_only_root = 1 then 1
            when n.name is null and k.height > p.height
                 and (k.distance is null or k.distance > p.distance) then 1
            else 0 end as subsuming
from known k
cross join parameters p
left join facts a on a.place = k.dominator
left join never n on n.class = k.class and n.name = k.name
order by k.inclusive desc, k.place

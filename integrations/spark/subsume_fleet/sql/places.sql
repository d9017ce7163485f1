-- The places of methods in facts.sql by label, with the number of runs that executed them.
--
-- Reads named, facts.
select n.label, f.place, f.runs
from named n
join facts f on f.method_hi = n.method_hi and f.method_lo = n.method_lo

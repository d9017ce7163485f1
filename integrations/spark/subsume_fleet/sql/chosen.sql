-- The selected runs, each once; other tables name them by `run_key`. A row of one has a
-- method's number in a table of names: from 0 in the one that the run shares with others,
-- below 0 in its own. Added to `shared_base` or `own_base` that is the label of the method
-- in named.sql.
--
-- Reads runs, selected (run_id).
select r.run_id, r.run_key, r.methods_table, r.metric,
       cast(dense_rank() over (order by r.methods_table) as bigint) * 4294967296 as shared_base,
       cast(1000000000 + row_number() over (order by r.run_id) as bigint) * 4294967296
           as own_base
from runs r
join (select distinct s.run_id from selected s) s on s.run_id = r.run_id

-- The methods of the selected runs by label: one number for a table of names and a method in
-- it, so that rows are joined and grouped by numbers. A method has a label in each table.
--
-- Reads methods, chosen.
select distinct t.base + m.method as label, m.method_hi, m.method_lo,
       m.class, m.name, m.descriptor
from methods m
join (
    select c.methods_table as method_table, c.shared_base as base from chosen c
    union
    select c.run_id as method_table, c.own_base as base from chosen c
) t on t.method_table = m.table

"""What is said of the rows that an engine answers with: the JSON that ``subsume`` prints.

``engine`` is what runs SQL: ``table(name, columns, rows)`` gives it a table, ``keep(name,
sql)`` makes one, and ``rows(sql)`` asks.
"""

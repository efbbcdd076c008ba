-- The jobs read the boxes of a day in the order of their ids, which is not that of the table: each box was at a random place
-- of it, which is not in memory in a day of a million boxes. The index now has everything that they read.
drop index boxes_by_day;
create index boxes_by_day on boxes (day, id collate "C") include (user_id, level, streak);

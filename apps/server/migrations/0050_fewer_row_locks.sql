-- Each insert locked the row it refers to, and so rewrote a page at a random place of a large table: a third of the cost of a
-- notice. Draws, shares and notices are written by jobs that have just read those rows, which are never deleted.
alter table box_draws drop constraint box_draws_box_id_fkey;
alter table box_shares drop constraint box_shares_box_id_fkey;
alter table notices drop constraint notices_user_id_fkey;

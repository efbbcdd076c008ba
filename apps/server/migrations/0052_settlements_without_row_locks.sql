-- Each settlement locked its box, and so read and rewrote a page at a random place of that table: in a day of a million boxes
-- more than half of the cost of returning a reward. A settlement is written for boxes that were just read and are never deleted.
alter table box_settlements drop constraint box_settlements_id_fkey;

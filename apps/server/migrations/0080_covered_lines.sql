-- The last line of rows that the header covers, with the hash of its rules, as JSON. Null: it covers none.
alter table proof_header_bodies add column lines text;

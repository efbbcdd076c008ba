-- The sum of the owner's repayments of an order, and the part of it that was interest, in base units. Null for an order from before
-- this migration: its repayments were not counted.
alter table loans add column repaid numeric(78, 0), add column interest_paid numeric(78, 0);

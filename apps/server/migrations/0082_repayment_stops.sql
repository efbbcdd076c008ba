-- The last time in which repaying and adding collateral stopped because no header was signed for a day: a repayment time in it
-- moves. Written by the ledger's writer only.
alter table header_times add column stopped_from timestamptz, add column stopped_until timestamptz;

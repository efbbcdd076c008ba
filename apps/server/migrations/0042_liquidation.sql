-- The rest of the inputs of a liquidation, so that its receipt can be computed again. No liquidation was possible before.
alter table liquidations
  add column rate_e18 numeric(78, 0) not null,
  -- Interest owed until accrued_at: units × 10^18 × seconds of a year.
  add column accrued numeric(130, 0) not null,
  add column accrued_at timestamptz not null,
  add column repayment_time timestamptz not null,
  add column bonus_bps integer not null,
  add column overdue_bonus_bps integer not null,
  -- Borrowed asset that insurance had.
  add column insurance numeric(78, 0) not null;

-- Bad debt so far, one row for each borrowed asset.
create table lending_losses (
  -- The asset.
  id text primary key,
  paid_by_insurance numeric(78, 0) not null,
  lost_by_pledgers numeric(78, 0) not null,
  last_at timestamptz not null
);

-- One receipt for each part of an order that is liquidated, with everything that is needed to compute it again. Receipts of whole orders
-- by the formula before stay in their own table.
alter table liquidations rename to whole_liquidations;
alter index liquidations_pkey rename to whole_liquidations_pkey;
alter index liquidations_by_borrower rename to whole_liquidations_by_borrower;
alter index liquidations_by_liquidator rename to whole_liquidations_by_liquidator;

create table liquidations (
  id text primary key,
  order_id text not null references loans (id),
  borrower_id text not null references users (id),
  liquidator_id text not null references users (id),
  collateral_asset text not null,
  borrow_asset text not null,
  -- Before this part, in base units.
  collateral numeric(78, 0) not null,
  principal numeric(78, 0) not null,
  debt_shares numeric(78, 0) not null,
  -- The index of the pool, at 10^27.
  index_e27 numeric(78, 0) not null,
  -- The part of the debt that ended.
  debt_ended numeric(78, 0) not null,
  repayment_time timestamptz not null,
  -- In USDT, at 10^18. The mean of the two sources, and those that the limit was judged by.
  collateral_price numeric(78, 0) not null,
  borrow_price numeric(78, 0) not null,
  collateral_high numeric(78, 0) not null,
  borrow_low numeric(78, 0) not null,
  price_time timestamptz not null,
  liquidation_bps integer not null,
  whole_bps integer not null,
  bonus_bps integer not null,
  overdue_bonus_bps integer not null,
  floor_bps integer not null,
  min_loan numeric(78, 0) not null,
  insurance numeric(78, 0) not null,
  is_over_limit boolean not null,
  is_overdue boolean not null,
  factor_bps integer not null,
  paid numeric(78, 0) not null,
  received numeric(78, 0) not null,
  returned numeric(78, 0) not null,
  paid_by_insurance numeric(78, 0) not null,
  lost_by_pledgers numeric(78, 0) not null,
  created_at timestamptz not null
);
create index liquidations_by_order on liquidations (order_id, created_at desc, id desc);

-- A receipt names every rule that decided it. Until now, a payment ended at most half of a debt, and a debt under four least loans whole.
alter table liquidations
  add column part_bps integer not null default 5000,
  add column small_order_loans integer not null default 4;
alter table liquidations alter column part_bps drop default, alter column small_order_loans drop default;

-- Nothing ever used this parameter: the sources of a price decide how long it counts.
update lending_parameters set parameters = (parameters::jsonb - 'priceMaxAgeMs')::text;

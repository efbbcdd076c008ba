-- The power of a box comes from its owner's swap fees. The writer keeps them by account and Hong Kong day, with the swap.

create table fee_days (
  -- `<account>:<day>`. A click reads the rows of the days before it.
  id text primary key,
  day text not null,
  -- The revenue part of the fees in base units of USDT, by the USDT side of each swap.
  revenue numeric(78, 0) not null,
  -- What the fees brought into `rewards`, by asset.
  bnb numeric(78, 0) not null,
  eth numeric(78, 0) not null,
  rt numeric(78, 0) not null,
  usdt numeric(78, 0) not null
) with (fillfactor = 80);
create index fee_days_by_day on fee_days (day);

-- The owner's fees of the days before, in base units of USDT.
alter table boxes add column fees numeric(78, 0) not null default 0 check (fees >= 0);
drop index boxes_by_day;
create index boxes_by_day on boxes (day, id collate "C") include (user_id, level, streak, fees);

-- What the fees of the day's box owners brought into `rewards`, by asset. Power is in base units of USDT from here on.
alter table box_tallies
  add column bnb numeric(78, 0) not null default 0,
  add column eth numeric(78, 0) not null default 0,
  add column rt numeric(78, 0) not null default 0,
  add column usdt numeric(78, 0) not null default 0;
alter table box_pools add column contributed numeric(78, 0) not null default 0;

-- The numbers of a day, published with its commitment. A change of the configuration counts for later days.
alter table box_days add column rules text;

-- The odds are configuration, and a box without fees has no power.
alter table box_draws drop constraint box_draws_draw_check;
alter table box_draws add check (draw > 0);
alter table box_draws drop constraint box_draws_power_check;
alter table box_draws add check (power >= 0);

-- Prices set by hand in the local profile.
create table simulated_prices (
  symbol text primary key,
  anchor_e18 numeric(78, 0) not null check (anchor_e18 > 0)
);

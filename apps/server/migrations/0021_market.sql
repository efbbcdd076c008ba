-- The last price of each symbol that money could use: half-way between two fresh sources. While a price is unknown, a known
-- loss is reckoned by it, also after a restart.
create table last_prices (
  symbol text primary key,
  price_e18 numeric(78, 0) not null check (price_e18 > 0),
  at timestamptz not null
);

-- Prices set by hand in the local profile.
create table simulated_prices (
  symbol text primary key,
  anchor_e18 numeric(78, 0) not null check (anchor_e18 > 0)
);

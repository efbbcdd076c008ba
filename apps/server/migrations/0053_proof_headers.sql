-- The headers that this ledger has recorded, in a chain. Written by the ledger's writer only.
create table proof_headers (
  -- The number of the committed batch, as text.
  id text primary key,
  number bigint not null unique,
  -- Hex with 0x.
  previous text not null unique,
  hash text not null unique,
  ledger_seq bigint not null,
  made_at timestamptz not null
);
create index proof_headers_by_entry on proof_headers (ledger_seq);

-- What a header consists of, and who signed it.
create table proof_header_bodies (
  id text primary key,
  header text not null,
  root_signature text,
  book_signature text,
  tx_hash text,
  posted_at timestamptz,
  made_at timestamptz not null
);
create index proof_header_bodies_unposted on proof_header_bodies (made_at) where posted_at is null;

-- The changed leaves of each header, encrypted.
create table proof_data (
  id text primary key,
  number bigint not null unique,
  quarter text not null,
  -- Base64.
  block text not null
);

-- The newest header.
create table proof_heads (
  id text primary key,
  number bigint not null,
  hash text not null,
  data_hash text not null,
  -- What the header contains: the last entry and the last change of a place or of a counter.
  ledger_seq bigint not null,
  change bigint not null,
  made_at timestamptz not null,
  is_signed boolean not null
);

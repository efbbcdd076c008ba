-- Rows that a restore cannot make from the entries of their command. Written by the ledger's writer only.
create table row_lines (
  -- The number.
  id text primary key,
  number bigint not null,
  -- The entries of the command: none if to_seq is less than from_seq.
  from_seq bigint not null,
  to_seq bigint not null,
  -- JSON with each table and row.
  rows text not null,
  -- The hash of the line before, and the line's own.
  previous text not null,
  hash text not null,
  at timestamptz not null
);
create unique index row_lines_by_number on row_lines (number);
create index row_lines_by_time on row_lines (at);

-- The last line: one row.
create table row_line_heads (
  id text primary key,
  number bigint not null,
  hash text not null
);

-- The signer's own tables: no other part writes them.

-- One row for each asset: whoever sums what was signed and adds to it holds it.
create table signer_caps (
  asset text primary key,
  -- The period that signer_minutes covers; null: none.
  summed_from timestamptz,
  summed_to timestamptz
);

create table signed_vouchers (
  nonce numeric(78, 0) primary key,
  -- The EIP-712 digest: the whole content of the voucher.
  digest text not null,
  asset text not null,
  units numeric(78, 0) not null,
  signed_at timestamptz not null,
  -- Not null: refused for this reason, and never to be signed.
  refused text,
  -- The account that a voucher pays, in lower case, for the daily cap per account.
  account text not null
);
-- With the nonce, so that a day is still summed from the index alone.
create index signed_vouchers_counted on signed_vouchers (asset, signed_at, nonce, units) where refused is null;
create index signed_vouchers_by_account on signed_vouchers (account, asset, signed_at, nonce, units) where refused is null;
-- What was signed stays counted, and what was refused stays refused.
create trigger signed_vouchers_append_only before update or delete or truncate on signed_vouchers
  for each statement execute function refuse_change();

create function forget_minutes_of_voucher() returns trigger language plpgsql as $$
begin
  perform forget_signer_minutes(new.asset, new.signed_at);
  return null;
end
$$;
create trigger signed_vouchers_minutes after insert on signed_vouchers
  for each row when (new.refused is null) execute function forget_minutes_of_voucher();

-- Vouchers that were signed and can pay no more: their deadline is final and the vault has not paid them. They stay in
-- signed_vouchers and take nothing of the day's cap. Written by the signer only.
create table expired_vouchers (
  nonce numeric(78, 0) primary key,
  expired_at timestamptz not null
);
-- A nonce that can pay no more never will again.
create trigger expired_vouchers_append_only before update or delete or truncate on expired_vouchers
  for each statement execute function refuse_change();

-- The vouchers and deposits of each past minute in sums, so that a signature does not read the rows of a whole day. Written by
-- the signer, and always computed from the rows.
create table signer_minutes (
  asset text not null,
  minute timestamptz not null,
  -- Vouchers minus deposits, in the token's own base units.
  total numeric not null,
  -- The most that vouchers took, net of the deposits after them, from any moment of the minute until its end.
  highest numeric not null,
  highest_at timestamptz not null,
  primary key (asset, minute)
);

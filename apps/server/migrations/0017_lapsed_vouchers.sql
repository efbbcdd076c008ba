-- Vouchers that were signed and can pay no more: their deadline is final and the vault has not paid them. They stay in
-- signed_vouchers and take nothing of the day's cap. Written by the signer only.
create table lapsed_vouchers (
  nonce numeric(78, 0) primary key,
  lapsed_at timestamptz not null
);

-- A nonce that can pay no more never will again.
create trigger lapsed_vouchers_append_only before update or delete or truncate on lapsed_vouchers
  for each statement execute function refuse_change();

-- With the nonce, so that a day is still summed from the index alone.
create index signed_vouchers_counted on signed_vouchers (asset, signed_at, nonce, units) where refused is null;
drop index signed_vouchers_by_time;

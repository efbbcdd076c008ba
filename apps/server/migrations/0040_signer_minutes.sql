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

-- The period that signer_minutes covers; null: none.
alter table signer_caps add column summed_from timestamptz;
alter table signer_caps add column summed_to timestamptz;

-- A row that appears in a summed minute, or changes there, makes the sums of its asset invalid.
create function forget_signer_minutes(changed_asset text, changed_at timestamptz) returns void language plpgsql as $$
begin
  update signer_caps set summed_from = null, summed_to = null where asset = changed_asset and summed_to > changed_at;
  if found then
    delete from signer_minutes where asset = changed_asset;
  end if;
end
$$;

create function forget_minutes_of_voucher() returns trigger language plpgsql as $$
begin
  perform forget_signer_minutes(new.asset, new.signed_at);
  return null;
end
$$;
create trigger signed_vouchers_minutes after insert on signed_vouchers
  for each row when (new.refused is null) execute function forget_minutes_of_voucher();

create function forget_minutes_of_deposit() returns trigger language plpgsql as $$
begin
  perform forget_signer_minutes(new.asset, new.credited_at);
  if tg_op = 'UPDATE' then
    perform forget_signer_minutes(old.asset, old.credited_at);
  end if;
  return null;
end
$$;
create trigger deposits_minutes after insert or update on deposits
  for each row execute function forget_minutes_of_deposit();

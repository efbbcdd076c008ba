-- The account that a voucher pays, in lower case, for the daily cap per account. Earlier vouchers take it from their order:
-- those of the last 24 hours still count.
alter table signed_vouchers add column account text not null default '';
alter table signed_vouchers disable trigger signed_vouchers_append_only;
update signed_vouchers set account = withdrawal_orders.user_id
  from withdrawal_orders where withdrawal_orders.nonce = signed_vouchers.nonce;
alter table signed_vouchers enable trigger signed_vouchers_append_only;
alter table signed_vouchers alter column account drop default;
create index signed_vouchers_by_account on signed_vouchers (account, asset, signed_at, nonce, units) where refused is null;

-- The global cap is net of the deposits of the last 24 hours.
create index deposits_by_asset on deposits (asset, credited_at, units);

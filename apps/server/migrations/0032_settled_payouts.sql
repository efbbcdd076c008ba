-- Payouts that a restored ledger does not know: what the operator has booked for them, and whose signatures count no more.
alter table unknown_withdrawals
  -- The last account that signed a voucher of this ledger, in lower case, if no order has the payout's nonce. The vault needs
  -- another signer before anything is signed again.
  add column lost_signer text,
  add column settled_at timestamptz,
  -- Base units that each account has paid; null until then.
  add column paid_by_account numeric(78, 0),
  add column paid_by_insurance numeric(78, 0),
  add column paid_by_treasury numeric(78, 0);
create index unknown_withdrawals_by_transaction on unknown_withdrawals (tx_hash);

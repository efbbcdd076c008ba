-- The signer whose signature is stored: the vault rejects it once its owner has appointed another. Null before this column.
alter table withdrawal_orders add column signed_by text;

-- The newest header that the vault with exits has on the chain: both stops count from it. Written by the ledger's writer only.
alter table header_times add column root_made_at timestamptz, add column root_id text;
update header_times set root_made_at = newest.made_at, root_id = newest.id
from (
  select posted_roots.id, proof_headers.made_at
  from posted_roots
  join proof_headers on proof_headers.number = posted_roots.number and proof_headers.hash = posted_roots.header_hash
  where not posted_roots.is_void and posted_roots.vault in (select vault from watched_vaults)
  order by posted_roots.posted_at desc, posted_roots.seq desc limit 1
) newest;

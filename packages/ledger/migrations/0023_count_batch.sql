-- Batches are sent one after the other without waiting for the answer of the one before, its commit among them. So a batch
-- that must not be written has to fail by itself: when the lease is another's, or when the batch before it failed.
create function count_batch(held_fence bigint, batches_before bigint) returns void language plpgsql as $$
begin
  update writer_lease set batch = batch + 1, renewed_at = clock_timestamp()
    where id = 1 and fence = held_fence and batch = batches_before;
  if not found then
    -- A class of our own: `packages/ledger/src/lease.ts` knows it.
    raise exception 'lease_lost: the writer lease is held by another' using errcode = 'CW001';
  end if;
end $$;

import type { Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import type { ChainBlock } from '../chain/chain.ts'

/** The watcher's position on each chain: the last confirmed block that it has read. */
export const chainCursors = defineWriterTable('chain_cursors', forever('one row for each chain'), {
  /** The chain's number. */
  id: column.text,
  number: column.units,
  hash: column.text,
  /** The block's own timestamp. */
  time: column.time,
})

/** Reads the watcher's last block of a chain; `undefined` before the first. */
export async function readCursor(db: Queryable, chainId: number): Promise<ChainBlock | undefined> {
  const [row] = await db.query<ChainBlock>('select number, hash, time from chain_cursors where id = $1', [
    String(chainId),
  ])
  return row
}

import type { Queryable } from '@clearwell/ledger/database'
import { readBlocks } from '../../domain/proofs/path-trees.ts'
import { findHeader } from './signed-headers.ts'

/** In one file. A block has 53 bytes for each leaf that changed. */
const MAX_LINES = 2_000

/**
 * Writes the encrypted proof data as lines of JSON, oldest first, up to the newest signed header: there is a block for each header, and
 * `dataHash` of a header is the hash chain up to its own.
 */
export async function* dataLines(db: Queryable, from: bigint): AsyncGenerator<string> {
  const newest = await findHeader(db)
  if (!newest) return
  let lines = 0
  for await (const blocks of readBlocks(db, { after: from - 1n, to: BigInt(newest.signed.number) })) {
    yield blocks.map(({ number, block }) => `${JSON.stringify({ number: `${number}`, block })}\n`).join('')
    lines += blocks.length
    if (lines >= MAX_LINES) return
  }
}

import type { Command } from '@clearwell/ledger/command'
import type { Writer } from '@clearwell/ledger/writer'
import type { LendingStore } from '../../domain/lending/lending.store.ts'
import { loans } from '../../domain/lending/lending.tables.ts'
import { addToIndex, builtRow, TO_BUILD } from '../../domain/lending/ratio-books.ts'

/** Orders that one command adds. */
const BATCH = 100

/**
 * Adds the orders that were open before the index existed. Until it is complete, commands of the lending market are not ready. A leader
 * that was killed meanwhile is followed by one that begins where it stopped.
 */
export async function buildRatioIndex({
  store,
  writer,
}: {
  readonly store: Pick<LendingStore, 'isIndexBuilt' | 'openLoanIds'>
  readonly writer: Pick<Writer, 'execute'>
}): Promise<void> {
  if (await store.isIndexBuilt()) return
  let after = ''
  for (;;) {
    const ids = await store.openLoanIds(after, BATCH)
    await writer.execute(addOrders(ids, after))
    after = ids.at(-1) ?? after
    if (ids.length < BATCH) return void (await writer.execute(finish()))
  }
}

/** @param after the last order before these: a repeated batch has the same key, and adds nothing twice. */
function addOrders(ids: readonly string[], after: string): Command<{ added: number }> {
  return {
    kind: 'build_ratio_index',
    owner: 'stake',
    key: `index-after-${after || 'none'}`,
    payload: {},
    preload: ids.map((id) => ({ table: loans, id })),
    decide(state) {
      const rows = state.rows(loans, ids).flatMap((row) => (row ? [{ before: undefined, after: row }] : []))
      return { rows: addToIndex(state, rows), response: { added: rows.length } }
    },
  }
}

function finish(): Command<object> {
  return {
    kind: 'finish_ratio_index',
    owner: 'stake',
    payload: {},
    preload: [TO_BUILD],
    decide: () => ({ rows: [builtRow()], response: {} }),
  }
}

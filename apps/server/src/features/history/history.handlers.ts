import type { historyRoutes } from '@clearwell/api/history.routes'
import { ENTRY_KINDS, type EntryKind } from '@clearwell/api/parts'
import type { Payload } from '@clearwell/api/routes'
import type { PostingCursor } from '@clearwell/ledger/read-postings'
import { ASSET_DECIMALS, ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { type UnitRange, unitsThatBeginWith } from '@clearwell/money/decimal'
import { DEFAULT_PAGE, pageOf } from '../../platform/http/paging.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { userAccounts } from '../../platform/ledger/accounts.ts'
import { logItem } from '../../platform/ledger/log-item.ts'
import { invalidField } from '../../platform/ledger/refuse.ts'
import type { HistoryStore } from './history.store.ts'
import { listActs } from './list-acts.ts'
import { type FoundPostings, logFile } from './log-file.ts'
import { type SummaryDependencies, summarise } from './summarise.ts'
import { listTransactions, type TransactionDependencies } from './transactions.ts'

export interface HistoryDependencies extends SummaryDependencies, TransactionDependencies {
  readonly productName: string
}

export function historyHandlers(deps: HistoryDependencies): HandlersOf<typeof historyRoutes> {
  const { store, clock } = deps
  return {
    async logs({ cursor, limit = DEFAULT_PAGE, ...filter }, { user }) {
      const after = decodePostingCursor(cursor)
      const accounts = userAccounts(user.id)
      const found = await filterOf(store, filter)
      const query = { ...found, accounts, order: 'newest_first', after, limit: limit + 1 } as const
      const { rows, scannedTo } = await store.logs(query)
      const page = pageOf(rows, limit, logItem, (row) => `${row.entry_seq}-${row.position}`)
      if (scannedTo) return { ...page, next_cursor: `${scannedTo.seq}-${scannedTo.position}`, archived_until: null }
      const archived = page.next_cursor === null ? await store.archived(user.id, filter.from) : undefined
      return { ...page, archived_until: archived?.at.toISOString() ?? null }
    },

    async logsCsv(filter, { user }) {
      const found = await filterOf(store, filter)
      const product = deps.productName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
      return {
        name: `${product}-log-${clock.now().toISOString().slice(0, 10)}.csv`,
        type: 'text/csv; charset=utf-8',
        pieces: logFile(store, user.id, found, filter.from),
      }
    },

    summary: ({ period = 'month' }, { user }) => summarise(deps, user.id, period),

    transactions: ({ cursor, limit = DEFAULT_PAGE }, { user }) => listTransactions(deps, user.id, { cursor, limit }),

    acts: ({ cursor, limit = DEFAULT_PAGE }, { user }) => listActs(store, user.id, { cursor, limit }),
  }
}

type LogFilter = Omit<Payload<'logs'>, 'cursor' | 'limit'>

/** The filter of a call as a query of the ledger. */
async function filterOf(
  store: HistoryStore,
  { asset, kind, kinds: any, search, from, to }: LogFilter,
): Promise<FoundPostings> {
  const range = await store.range({ from, to })
  const kinds = kind === undefined ? any : any === undefined || any.includes(kind) ? [kind] : []
  if (search === undefined) return { asset, kinds, range }
  if (search.startsWith('0x'))
    return { asset, kinds: (kinds ?? ENTRY_KINDS).filter(hasHash), range, match: { reference: search } }
  const units: Partial<Record<AssetId, UnitRange>> = {}
  for (const each of ASSET_IDS) {
    const found = unitsThatBeginWith(search, ASSET_DECIMALS[each])
    if (found !== undefined) units[each] = found
  }
  return { asset, kinds, range, match: { units } }
}

/** The reference of a swap is its id, not a hash. Without swaps, the index by kind finds the others. */
function hasHash(kind: EntryKind): boolean {
  return kind !== 'swap' && kind !== 'referral_share'
}

function decodePostingCursor(text: string | undefined): PostingCursor | undefined {
  if (text === undefined) return undefined
  const match = /^(\d{1,18})-(\d{1,6})$/.exec(text)
  if (!match) throw invalidField('cursor', 'not a cursor of this list')
  return { seq: BigInt(match[1] as string), position: Number(match[2]) }
}

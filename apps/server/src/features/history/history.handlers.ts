import type { historyRoutes } from '@clearwell/api/history.routes'
import type { PostingCursor } from '@clearwell/ledger/read-postings'
import { DEFAULT_PAGE, pageOf } from '../../platform/http/paging.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { userAccounts } from '../../platform/ledger/accounts.ts'
import { logItem } from '../../platform/ledger/log-item.ts'
import { invalidField } from '../../platform/ledger/refuse.ts'
import { logFile } from './log-file.ts'
import { type SummaryDependencies, summarise } from './summarise.ts'
import { listTransactions, type TransactionDependencies } from './transactions.ts'

export interface HistoryDependencies extends SummaryDependencies, TransactionDependencies {
  readonly productName: string
}

export function historyHandlers(deps: HistoryDependencies): HandlersOf<typeof historyRoutes> {
  const { store, clock } = deps
  return {
    async logs({ cursor, limit = DEFAULT_PAGE, asset, kind, from, to }, { user }) {
      const after = decodePostingCursor(cursor)
      const range = await store.range({ from, to })
      const accounts = userAccounts(user.id)
      const query = { accounts, asset, kind, range, order: 'newest_first', after, limit: limit + 1 } as const
      const { rows, scannedTo } = await store.logs(query)
      const page = pageOf(rows, limit, logItem, (row) => `${row.entry_seq}-${row.position}`)
      return scannedTo ? { ...page, next_cursor: `${scannedTo.seq}-${scannedTo.position}` } : page
    },

    async logsCsv({ asset, kind, from, to }, { user }) {
      const range = await store.range({ from, to })
      const product = deps.productName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
      return {
        name: `${product}-log-${clock.now().toISOString().slice(0, 10)}.csv`,
        type: 'text/csv; charset=utf-8',
        pieces: logFile(store, user.id, { asset, kind, range }),
      }
    },

    summary: ({ period = 'month' }, { user }) => summarise(deps, user.id, period),

    transactions: ({ cursor, limit = DEFAULT_PAGE }, { user }) => listTransactions(deps, user.id, { cursor, limit }),
  }
}

function decodePostingCursor(text: string | undefined): PostingCursor | undefined {
  if (text === undefined) return undefined
  const match = /^(\d{1,18})-(\d{1,6})$/.exec(text)
  if (!match) throw invalidField('cursor', 'not a cursor of this list')
  return { seq: BigInt(match[1] as string), position: Number(match[2]) }
}

import type { ResponseOf } from '@clearwell/api/routes'
import type { ListItem } from '../../api/use-list-call.ts'
import type { LogEntry } from './entry-names.ts'

const TIME = '2030-01-01T00:00:00.000Z'
const HASH = `0x${'ab'.repeat(32)}`

/** Six deposits of one day. */
export const ENTRIES: LogEntry[] = ['6', '5', '4', '3', '2', '1'].map((id) => ({
  id,
  kind: 'deposit',
  place: 'available',
  asset: 'USDT',
  amount: '100',
  balance_after: '1234.5',
  reference: HASH,
  created_at: TIME,
}))

export const TRANSACTIONS: ListItem<'transactions'>[] = ['1', '2', '3', '4'].map((id) => ({
  kind: 'transfer_in',
  asset: 'USDT',
  amount: '100',
  tx_hash: HASH,
  explorer_url: null,
  status: 'confirmed',
  confirmations: 15,
  required: 15,
  order_id: id,
  created_at: TIME,
}))

export const ACTS: ListItem<'acts'>[] = ['1', '2', '3'].map((id) => ({
  id,
  kind: 'view_account',
  role: 'support',
  persons: 1,
  reason: 'A missing deposit',
  created_at: TIME,
}))

/** Two weeks of an account that holds USDT. */
export const SUMMARY: ResponseOf<'summary'> = {
  total_usdt: '1234.5',
  owed_usdt: '0',
  net_usdt: '1234.5',
  by_asset: [
    { asset: 'USDT', amount: '1000', value_usdt: '1000' },
    { asset: 'BNB', amount: '0.39', value_usdt: '234.5' },
  ],
  by_place: [
    { place: 'available', value_usdt: '1000' },
    { place: 'pledged', value_usdt: '234.5' },
  ],
  history: Array.from({ length: 14 }, (_, day) => ({
    time: new Date(Date.UTC(2030, 0, 1 + day)).toISOString(),
    value_usdt: '1234.5',
    net_usdt: '1234.5',
  })),
  performance: {
    since: TIME,
    start_usdt: '1200',
    start_net_usdt: '1200',
    transferred_in_usdt: '0',
    transferred_out_usdt: '0',
    activation_usdt: '0',
    borrowed_usdt: '0',
    change_usdt: '34.5',
    change: '0.02875',
  },
}

import { beforeAll, expect, test } from 'vitest'
import { loadAllWords } from '../../testing/words.ts'
import { itemsOfEntries, itemsOfTransactions } from './activity-items.ts'
import type { LogEntry } from './entry-names.ts'

beforeAll(loadAllWords)

const entry = (id: string, kind: LogEntry['kind'], amount: string, asset: LogEntry['asset'] = 'USDT'): LogEntry => ({
  id,
  kind,
  amount,
  asset,
  place: 'available',
  balance_after: '1',
  reference: 'r',
  created_at: '2030-01-01T00:00:00.000Z',
})

test('both amounts of a swap are one item, the sold one first', () => {
  const items = itemsOfEntries([entry('9-3', 'swap', '0.16', 'BNB'), entry('9-0', 'swap', '-100')], { hasMore: false })
  expect(items).toEqual([
    {
      id: '9',
      entry: '9',
      kind: 'swap',
      time: '2030-01-01T00:00:00.000Z',
      reference: 'r',
      moved: [
        { asset: 'USDT', amount: '-100' },
        { asset: 'BNB', amount: '0.16' },
      ],
    },
  ])
})

test('an entry that may be cut waits for the next page', () => {
  const entries = [entry('9-0', 'deposit', '5'), entry('8-3', 'swap', '1', 'BNB')]
  expect(itemsOfEntries(entries, { hasMore: true }).map(({ id }) => id)).toEqual(['9'])
  expect(itemsOfEntries(entries, { hasMore: false }).map(({ id }) => id)).toEqual(['9', '8'])
})

test('a lock is left out, and a return is shown once', () => {
  const items = itemsOfEntries(
    [
      entry('7-1', 'withdrawal_release', '40'),
      { ...entry('7-0', 'withdrawal_release', '-40'), place: 'locked' },
      { ...entry('6-1', 'withdrawal_lock', '40'), place: 'locked' },
      entry('6-0', 'withdrawal_lock', '-40'),
    ],
    { hasMore: false },
  )
  expect(items.map(({ kind, moved }) => [kind, moved])).toEqual([
    ['withdrawal_release', [{ asset: 'USDT', amount: '40' }]],
  ])
})

test('a loan is the amount borrowed, and collateral added is shown once', () => {
  const items = itemsOfEntries(
    [
      { ...entry('9-1', 'collateral_added', '2', 'BNB'), place: 'collateral' },
      entry('9-0', 'collateral_added', '-2', 'BNB'),
      entry('8-3', 'loan', '100'),
      { ...entry('8-1', 'loan', '1', 'BNB'), place: 'collateral' },
      entry('8-0', 'loan', '-1', 'BNB'),
    ],
    { hasMore: false },
  )
  expect(items.map(({ moved }) => moved)).toEqual([
    [{ asset: 'BNB', amount: '-2' }],
    [{ asset: 'USDT', amount: '100' }],
  ])
})

test.each([
  ['rt_deposit', '-100'],
  ['rt_deposit_return', '100'],
  ['rt_take_back', '100'],
  ['collateral_added', '-100'],
  ['withdrawal_release', '100'],
] as const)('%s changes the available balance by %s', (kind, amount) => {
  const other = amount.startsWith('-') ? amount.slice(1) : `-${amount}`
  const place = kind === 'collateral_added' ? 'collateral' : kind === 'withdrawal_release' ? 'locked' : 'rt_deposit'
  const items = itemsOfEntries([{ ...entry('9-1', kind, other, 'RT'), place }, entry('9-0', kind, amount, 'RT')], {
    hasMore: false,
  })
  expect(items.map(({ moved }) => moved)).toEqual([[{ asset: 'RT', amount }]])
})

test('a loan takes its collateral in the activity of that asset', () => {
  const items = itemsOfEntries(
    [{ ...entry('8-1', 'loan', '1', 'BNB'), place: 'collateral' }, entry('8-0', 'loan', '-1', 'BNB')],
    { hasMore: false },
  )
  expect(items.map(({ moved }) => moved)).toEqual([[{ asset: 'BNB', amount: '-1' }]])
})

test('transactions keep their order, and their confirmations until they are final', () => {
  const transaction = {
    kind: 'transfer_out' as const,
    asset: 'BNB' as const,
    amount: '2',
    tx_hash: '0x1',
    explorer_url: null,
    confirmations: 3,
    required: 15,
    order_id: 'o1',
    created_at: '2030-01-01T00:00:00.000Z',
  }
  const [pending, done] = itemsOfTransactions([
    { ...transaction, status: 'pending' },
    { ...transaction, status: 'confirmed' },
  ])
  expect(pending).toMatchObject({ moved: [{ asset: 'BNB', amount: '-2' }], pending: { n: 3, m: 15 }, orderId: 'o1' })
  expect(done?.pending).toBeUndefined()
})

import type { PostingRow } from '@clearwell/ledger/read-postings'
import { NotReady } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { userAccount } from '../ledger/accounts.ts'
import { createLedgerFeed, type Follower, type LedgerFeed } from './ledger-feed.ts'

const ANN = `0x${'a'.repeat(40)}`
const BOB = `0x${'b'.repeat(40)}`
const POLL_MS = 250

let feed: LedgerFeed
let rows: PostingRow[]
let tip: bigint
let isAway: boolean

beforeEach(() => {
  vi.useFakeTimers()
  rows = []
  tip = 10n
  isAway = false
  feed = createLedgerFeed({
    store: {
      tip: () => (isAway ? Promise.reject(new NotReady('away')) : Promise.resolve(tip)),
      userPostings: async ({ after, to }) => rows.filter((row) => row.entry_seq > after && row.entry_seq <= to),
    },
    times: { pollMs: POLL_MS, gapMs: 100, failingMs: 3_000 },
    onError: (error) => {
      if (!isAway) throw error
    },
  })
})
afterEach(() => {
  feed.stop()
  vi.useRealTimers()
})

function newFollower(): Follower & { readonly got: bigint[] } {
  const got: bigint[] = []
  return { got, onEntry: (seq) => got.push(seq), onReset() {}, onEvent() {}, onLost() {} }
}

function commitFor(userId: string): bigint {
  tip += 1n
  rows.push({
    entry_seq: tip,
    position: 0,
    kind: 'deposit',
    account: userAccount(userId, 'available'),
    asset: 'USDT',
    units: 1n,
    balance_after: 1n,
    reference: '',
    at: new Date(0),
  })
  return tip
}

test('a look without followers does not pause a joining follower', async () => {
  const [first, second] = [newFollower(), newFollower()]
  await feed.follow(ANN, first)
  feed.leave(ANN, first)
  // The look has begun and the new follower joins before it finds that there are no followers.
  vi.advanceTimersByTime(POLL_MS)
  expect(await feed.follow(BOB, second)).toBe(10n)
  const seq = commitFor(BOB)
  await vi.advanceTimersByTimeAsync(2 * POLL_MS)
  expect(second.got).toEqual([seq])
})

test('the lag grows while the ledger cannot be read', async () => {
  const follower = newFollower()
  expect(feed.lagMs).toBeUndefined()
  await feed.follow(ANN, follower)
  await vi.advanceTimersByTimeAsync(10 * POLL_MS)
  expect(feed.lagMs).toBeLessThanOrEqual(POLL_MS)
  isAway = true
  await vi.advanceTimersByTimeAsync(10 * POLL_MS)
  expect(feed.lagMs).toBeGreaterThanOrEqual(10 * POLL_MS)
  isAway = false
  await vi.advanceTimersByTimeAsync(2 * POLL_MS)
  expect(feed.lagMs).toBeLessThanOrEqual(POLL_MS)
  feed.leave(ANN, follower)
  expect(feed.lagMs).toBeUndefined()
})

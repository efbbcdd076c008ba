import { expect, test } from 'vitest'
import { type Base, type ExitAct, OpenExits } from './open-exits.ts'
import { accountOf, entryOf } from './testing/entry.ts'

const A = accountOf('a:').slice(5, 47)
const DAY = 86_400
/** The time of the entries of `entryOf`, in seconds. */
const NOW = Date.parse('2026-11-28T05:00:00.000Z') / 1_000

const requested = (at: number): ExitAct => ({ kind: 'requested', account: A, at })
const cancelled: ExitAct = { kind: 'cancelled', account: A }
const posted = (seq: number, at: number): ExitAct => ({ kind: 'posted', seq, number: `${seq}`, hash: '0x', at })
/** In the header of a post, the account has a thousand units for each number. */
const baseOf = ({ seq }: { readonly seq: number }): Base => {
  const leaf = { free: 1_000n * BigInt(seq), depositedSeen: 50n, paidSeen: 7n }
  return { seq, cursorBlock: 10n * BigInt(seq), leaves: new Map([['USDT', leaf]]) }
}

/** Takes the acts of header after header. */
function follow(of: { hasLeaf?: boolean; isKnown?: boolean; time?: number }, ...headers: readonly ExitAct[][]) {
  const exits = new OpenExits()
  const { hasLeaf = true, isKnown = true, time = NOW } = of
  for (const acts of headers) exits.take(acts, { isKnown, cursorTime: time, hasLeaf: () => hasLeaf, baseOf })
  return exits
}

const SWAP = ['a:available USDT -9', 'pool:P USDT 9', 'pool:P BNB -1', 'a:available BNB 1']
const REPAYMENT = ['a:available USDT -9', 'lending:USDT:cash USDT 9']
const COLLATERAL = ['a:available BNB -9', 'a:collateral BNB 9']
const LATE = NOW - 5 * DAY

test.each<[string, string, readonly string[], number]>([
  ['a swap', 'swap', SWAP, NOW],
  ['a pledge', 'pledge', REPAYMENT, NOW],
  ['a loan', 'loan', [...COLLATERAL, 'lending:USDT:cash USDT -1', 'a:available USDT 1'], NOW],
  ['an activation', 'activation', ['a:available USDT -9', 'insurance USDT 9'], NOW],
  ['a payment for the loan of another', 'liquidation', ['b:collateral BNB -9', 'a:available BNB 9', ...REPAYMENT], NOW],
  ['a repayment after five days', 'loan_repayment', REPAYMENT, LATE],
  ['collateral after five days', 'collateral_added', COLLATERAL, LATE],
])('finds %s of an account that leaves', (_what, kind, lines, at) => {
  expect(follow({}, [requested(at)], []).faultOfEntry(entryOf(kind, lines))).toMatch(
    /takes 9 base units of (USDT|BNB) from 0xa1a1.*, which leaves$/,
  )
})

test.each<[string, string, readonly string[], number]>([
  ['a deposit', 'deposit', ['vault USDT -9', 'a:available USDT 9'], LATE],
  ['a payment of the exit', 'exit', ['a:available USDT -9', 'vault USDT 9'], LATE],
  ['a payment of a voucher', 'withdrawal', ['a:locked USDT -9', 'vault USDT 9'], LATE],
  ['an advance taken back', 'exit_advance_return', ['a:available USDT -9', 'insurance USDT 9'], LATE],
  ['the end of a voucher', 'withdrawal_release', ['a:locked USDT -9', 'a:available USDT 9'], LATE],
  [
    'its loan cleared by another',
    'liquidation',
    ['a:collateral BNB -9', 'b:available BNB 8', 'a:available BNB 1'],
    LATE,
  ],
  ['a repayment in the first five days', 'loan_repayment', REPAYMENT, LATE + 1],
  ['collateral in the first five days', 'collateral_added', COLLATERAL, LATE + 1],
])('accepts %s of an account that leaves', (_what, kind, lines, at) => {
  expect(follow({}, [requested(at)], []).faultOfEntry(entryOf(kind, lines))).toBeUndefined()
})

test('judges an account while its exit is open at both cursors', () => {
  const swap = entryOf('swap', SWAP)
  expect(follow({}, [requested(NOW)]).faultOfEntry(swap)).toBeUndefined()
  expect(follow({}, [requested(NOW)], [cancelled]).faultOfEntry(swap)).toBeUndefined()
  expect(follow({}, [requested(NOW)], [cancelled, requested(NOW)]).faultOfEntry(swap)).toBeUndefined()
  expect(follow({}, [requested(NOW)], [cancelled, requested(NOW)], []).faultOfEntry(swap)).toMatch(/which leaves/)
  // Where the acts are unknown, the exit may have been cancelled.
  expect(follow({ isKnown: false }, [requested(NOW)], []).faultOfEntry(swap)).toBeUndefined()
})

test('gives the server an hour for an account created after its request', () => {
  const swap = entryOf('swap', SWAP)
  const exits = follow({ hasLeaf: false }, [requested(NOW)], [])
  expect(exits.faultOfEntry(swap)).toBeUndefined()
  exits.take([], { isKnown: true, cursorTime: NOW - 3_599, hasLeaf: () => true, baseOf })
  expect(exits.faultOfEntry(swap)).toBeUndefined()
  const later = follow({ hasLeaf: false }, [requested(NOW)])
  later.take([], { isKnown: true, cursorTime: NOW - 3_600, hasLeaf: () => true, baseOf })
  expect(later.faultOfEntry(swap)).toMatch(/which leaves/)
})

const cut = NOW + 6 * DAY
const claimed = (exits: OpenExits, at = cut) => exits.claims(at, () => ({ deposited: 60n, paid: 9n }))
const units = (exits: OpenExits) => claimed(exits).map((claim) => claim.units)

test.each<[string, readonly ExitAct[], readonly bigint[]]>([
  // By hand: 1,000 + (60 - 50) - (9 - 7).
  ['the root before the request', [posted(1, NOW - 9), requested(NOW)], [1_008n]],
  ['the last root until the cut', [posted(1, NOW - 9), requested(NOW), posted(2, cut), posted(3, cut + 1)], [2_008n]],
  ['no root', [requested(NOW)], []],
  [
    'a root after a dropped one',
    [requested(NOW), posted(1, NOW), { kind: 'dropped', from: 1, to: 1 }, posted(2, NOW)],
    [2_008n],
  ],
  ['a dropped root', [posted(1, NOW), requested(NOW), posted(2, NOW), { kind: 'dropped', from: 2, to: 2 }], []],
  ['a cancelled exit', [posted(1, NOW), requested(NOW), cancelled], []],
  [
    'the root of an earlier payment that it does not know',
    [
      posted(1, NOW),
      requested(NOW - DAY),
      { kind: 'paid', account: A, block: '21' },
      cancelled,
      posted(2, NOW),
      requested(NOW),
    ],
    [1_008n],
  ],
  [
    'a root that knows the earlier payment',
    [
      posted(1, NOW),
      requested(NOW - DAY),
      { kind: 'paid', account: A, block: '20' },
      cancelled,
      posted(2, NOW),
      requested(NOW),
    ],
    [2_008n],
  ],
])('counts the claim under %s', (_what, acts, expected) => {
  expect(units(follow({}, [...acts]))).toEqual(expected)
})

test('counts no claim before the cut', () => {
  const exits = follow({}, [posted(1, NOW), requested(NOW)])
  expect(claimed(exits, cut - 1)).toEqual([])
  expect(claimed(exits)).toHaveLength(1)
})

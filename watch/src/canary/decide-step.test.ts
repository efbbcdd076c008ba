import type { ProvenLeaf } from '@clearwell/exit-kit/src/check-paths.ts'
import type { Base } from '@clearwell/exit-kit/src/find-base.ts'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { type AssetView, decideAsk, decideStep, GAS_RESERVE, type RootEvent, type View } from './decide-step.ts'

const DAY_S = 86_400
const ASKED_AT = 1_790_000_000
const [BNB, USDT] = [`0x${'00'.repeat(20)}`, `0x${'55'.repeat(20)}`] as [Hex, Hex]

const asset = (token: Hex, more: Partial<AssetView> = {}): AssetView => ({
  ...{
    token,
    amount: 100n,
    wallet: GAS_RESERVE * 2n,
    allowance: 100n,
    deposited: 0n,
    paid: 0n,
    held: 100n,
    carried: 0n,
  },
  ...more,
})
const leaf = (token: Hex, free: string, deposited_seen: string, paid_seen = '0'): ProvenLeaf => ({
  ...{ token, index: 0 },
  leaf: { kind: 'user', asset: '', free, deposited_seen, paid_seen, salt: '0x', index: 0, path: [] } as never,
})
const found = { kind: 'found', paidBy: { signed: { number: '7' } } } as unknown as Base
const view = (more: Partial<View> = {}, exitAt = 0): View => ({
  ...{
    account: { exitAt, floor: 0, lastBase: 0, lastBlock: 0 },
    now: ASKED_AT,
    ended: false,
    moved: undefined,
    base: found,
    leaves: [],
  },
  assets: [asset(BNB)],
  ...more,
})
const held = { deposited: 100n }
const moved = { successor: USDT }
const ready = (more: Partial<View>) => view({ now: ASKED_AT + 7 * DAY_S, ...more }, ASKED_AT)

test.each([
  ['deposit', view()],
  ['approve', view({ assets: [asset(USDT, { allowance: 99n })] })],
  ['deposit', view({ assets: [asset(BNB, held), asset(USDT, { deposited: 300n, paid: 300n })] })],
  ['too_little_money', view({ assets: [asset(BNB, { wallet: GAS_RESERVE + 99n })] })],
  ['wait', view({ assets: [asset(BNB, held)], base: { kind: 'not_posted', count: 1 } })],
  // The root is of before the second deposit.
  ['wait', view({ assets: [asset(BNB, { deposited: 200n, paid: 100n })], leaves: [leaf(BNB, '0', '100', '100')] })],
  ['leaf_too_small', view({ assets: [asset(BNB, held)], leaves: [leaf(BNB, '99', '100')] })],
  ['request', view({ assets: [asset(BNB, held)], leaves: [leaf(BNB, '100', '100')] })],
  ['wait', view({ assets: [asset(BNB, held)], now: ASKED_AT + 7 * DAY_S - 1 }, ASKED_AT)],
  ['finish', ready({ assets: [asset(BNB, held)], leaves: [leaf(BNB, '100', '100')] })],
  ['no_base', ready({ assets: [asset(BNB, held)], base: { kind: 'too_old', number: '9' } })],
  ['leaf_missing', ready({ assets: [asset(BNB, held)] })],
  [
    'paid_too_little',
    ready({ assets: [asset(BNB, { deposited: 100n, paid: 60n })], leaves: [leaf(BNB, '60', '100')] }),
  ],
  ['cancel', ready({ assets: [asset(BNB, { deposited: 100n, paid: 100n })] })],
  ['vault_ended', ready({ ended: true })],
  // After a move of the ledger.
  ['vault_moved', view({ moved })],
  ['wait', view({ moved, assets: [asset(BNB, held)], now: ASKED_AT + 7 * DAY_S - 1 }, ASKED_AT)],
  ['finish', ready({ moved, assets: [asset(BNB, held)], leaves: [leaf(BNB, '100', '100')] })],
  ['cancel', ready({ moved, assets: [asset(BNB, { ...held, held: 99n })], leaves: [leaf(BNB, '100', '100')] })],
  ['request', view({ assets: [asset(BNB, { carried: 100n })], leaves: [leaf(BNB, '100', '0')] })],
  ['leaf_too_small', view({ assets: [asset(BNB, { carried: 100n })], leaves: [leaf(BNB, '99', '0')] })],
  ['deposit', view({ assets: [asset(BNB, { carried: 100n, paid: 100n })] })],
])('the next step is %s (%#)', (expected, each) => {
  const step = decideStep(each)
  expect(step.kind === 'fault' ? step.code : step.kind).toBe(expected)
})

test('a payment is what the leaf says with the counters of now', () => {
  const leaves = [leaf(BNB, '100', '100'), leaf(USDT, '250', '200', '50')]
  const assets = [asset(BNB, { deposited: 100n, paid: 100n }), asset(USDT, { deposited: 200n, paid: 50n })]
  expect(decideStep(ready({ assets, leaves }))).toMatchObject({ kind: 'finish', token: USDT, amount: 250n })
})

const root = (seq: number, postedAt: number): RootEvent => ({ seq, number: `${seq}0`, hash: '0x', postedAt })
const roots = [root(1, ASKED_AT - 60), root(2, ASKED_AT + 3 * DAY_S), root(3, ASKED_AT + 6 * DAY_S + 1)]
const ask = (more: Partial<Parameters<typeof decideAsk>[0]>) =>
  decideAsk({
    ...{ account: { exitAt: ASKED_AT, lastBase: 0 }, now: ASKED_AT + 7 * DAY_S, roots, neededSeq: undefined },
    ...{ known: new Set<string>(), asked: undefined },
    ...more,
  })?.number

test('it asks for the newest path until the base is fixed', () => {
  expect(ask({})).toBe('20')
  expect(ask({ known: new Set(['20']) })).toBeUndefined()
  expect(ask({ roots: roots.slice(0, 1), now: ASKED_AT })).toBe('10')
  expect(ask({ account: { exitAt: 0, lastBase: 0 } })).toBe('30')
  expect(ask({ neededSeq: 1, known: new Set(['20']) })).toBe('10')
})

test('it asks again after an hour, after failures in a minute', () => {
  const now = ASKED_AT + 7 * DAY_S
  expect(ask({ asked: { at: now - 3_599, isDone: true } })).toBeUndefined()
  expect(ask({ asked: { at: now - 3_600, isDone: true } })).toBe('20')
  expect(ask({ asked: { at: now - 59, isDone: false } })).toBeUndefined()
  expect(ask({ asked: { at: now - 60, isDone: false } })).toBe('20')
})

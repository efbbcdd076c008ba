import { expect, test } from 'vitest'
import type { AccountSlot } from './exit-state.ts'
import { type ChainView, findBase } from './find-base.ts'
import { type Sample, START, sampleData, sampleHeader, slotsOf } from './testing/sample-headers.ts'

const DAY_S = 86_400
const [one, two, three] = (await Promise.all([1, 2, 3].map((each) => sampleHeader(each, {})))) as [
  Sample,
  Sample,
  Sample,
]
const NEVER: AccountSlot = { exitAt: 0, floor: 0, lastBase: 0, lastBlock: 0 }

/** A chain eight days after the start, with an exit that was asked for then. */
function chainOf(slots: ChainView['slots'], changes: Partial<ChainView> & { account?: AccountSlot } = {}): ChainView {
  return { slots, pausedAt: 0, now: START + 8 * DAY_S, account: { ...NEVER, exitAt: START }, ...changes }
}

const silent = slotsOf([
  [one, 100],
  [two, 200],
])
/** The third one was posted after the cut. */
const late = {
  ...three,
  signed: { ...three.signed, header: { ...three.signed.header, cursorTime: START + 6 * DAY_S } },
}
const going = slotsOf([
  [one, 100],
  [two, 200],
  [late, 6 * DAY_S + 60],
])

test('takes the newest root where no other came', async () => {
  const base = await findBase(sampleData([two]), chainOf(silent))
  expect(base).toMatchObject({ kind: 'found', paidBy: { seq: 2 }, base: { root: { seq: 2 }, next: { seq: 0 } } })
})

test('takes the last root before the cut, and the next one', async () => {
  const base = await findBase(sampleData([two], [one, late]), chainOf(going))
  expect(base).toMatchObject({ kind: 'found', paidBy: { seq: 2 }, base: { next: { seq: 3 } } })
})

test('wants the header of the next root', async () => {
  expect(await findBase(sampleData([two]), chainOf(going))).toEqual({ kind: 'header_needed', seq: 3 })
})

test('wants newer paths where a later root is the base', async () => {
  expect(await findBase(sampleData([one], [two]), chainOf(silent))).toEqual({ kind: 'too_old', number: '2' })
})

test('does not know a root that was not posted', async () => {
  expect(await findBase(sampleData([three]), chainOf(silent))).toEqual({ kind: 'not_posted', count: 2 })
})

test('finds a base that later roots hide among earlier ones', async () => {
  const shown = (from: number) => ({ ...going, at: new Map([...going.at].filter(([seq]) => seq >= from)) })
  const pages: number[] = []
  const readEarlier = async (slots: ChainView['slots']) => {
    const first = Math.min(...slots.at.keys())
    pages.push(first)
    return first > 1 ? shown(first - 1) : undefined
  }
  const found = { kind: 'found', paidBy: { seq: 2 }, base: { next: { seq: 3 } } }
  expect(await findBase(sampleData([two], [late]), chainOf(shown(3)), { readEarlier })).toMatchObject(found)
  // With a newer path than that of the base.
  expect(await findBase(sampleData([two, late]), chainOf(shown(3)), { readEarlier })).toMatchObject(found)
  // The root of the last exit is always read.
  const account = { ...NEVER, exitAt: START, lastBase: 1 }
  const apart = { ...going, at: new Map([...going.at].filter(([seq]) => seq !== 2)) }
  const data = sampleData([one, two], [late])
  expect(await findBase(data, chainOf(apart, { account }), { readEarlier: async () => going })).toMatchObject(found)
  expect(pages).toEqual([3, 3])
  const unknown = await findBase(sampleData([await sampleHeader(4, {})]), chainOf(shown(3)), { readEarlier })
  expect([unknown, pages]).toEqual([{ kind: 'not_posted', count: 3 }, [3, 3, 3, 2, 1]])
})

test('does not pay under a root after the cut', async () => {
  expect(await findBase(sampleData([late]), chainOf(going))).toEqual({ kind: 'too_new' })
})

test('does not pay under a root below the floor', async () => {
  const account = { ...NEVER, exitAt: START, floor: 3 }
  expect(await findBase(sampleData([two]), chainOf(silent, { account }))).toEqual({ kind: 'below_floor' })
})

test('takes the root of the last exit where the base lacks it', async () => {
  const account = { ...NEVER, exitAt: START, lastBase: 1, lastBlock: 110 }
  expect(await findBase(sampleData([one], [two]), chainOf(silent, { account }))).toMatchObject({
    ...{ kind: 'found', paidBy: { seq: 1 }, earlier: { seq: 1 }, base: { root: { seq: 2 } } },
  })
  expect(await findBase(sampleData([two]), chainOf(silent, { account }))).toEqual({ kind: 'earlier_needed', seq: 1 })
})

test('waits for a frozen base, and measures money without it', async () => {
  const pausedAt = START + 6 * DAY_S + 120
  const data = sampleData([two], [one, late])
  expect(await findBase(data, chainOf(going, { pausedAt }))).toMatchObject({
    ...{ kind: 'found', unfrozen: { root: { seq: 2 }, next: { seq: 3 } } },
  })
  const early = START + 300
  const frozen = await findBase(sampleData([two]), chainOf(silent, { pausedAt: early, now: early + 60 }))
  expect(frozen).toEqual({ kind: 'frozen', until: early + 7 * DAY_S })
})

test('looks for the newest root before a request', async () => {
  const base = await findBase(sampleData([one], [two]), chainOf(silent, { account: NEVER }))
  expect(base).toEqual({ kind: 'too_old', number: '2' })
})

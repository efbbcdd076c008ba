import { expect, test } from 'vitest'
import { findEndBase } from './find-end-base.ts'
import { type Sample, START, sampleData, sampleHeader, slotsOf } from './testing/sample-headers.ts'

const [one, two] = (await Promise.all([1, 2].map((each) => sampleHeader(each, {})))) as [Sample, Sample]
const slots = slotsOf([
  [one, 100],
  [two, 200],
])
const NEVER = { exitAt: 0, floor: 0, lastBase: 0, lastBlock: 0 }
const chainOf = (account = NEVER) => ({ slots, account, pausedAt: 0, now: START + 40 * 86_400 })

test('claims under the last root', async () => {
  expect(await findEndBase(sampleData([two]), chainOf())).toMatchObject({
    ...{ kind: 'found', root: { seq: 2 }, paidBy: { seq: 2 }, earlier: undefined },
  })
})

test('wants the header or the paths that are missing', async () => {
  expect(await findEndBase(sampleData([one]), chainOf())).toEqual({ kind: 'header_needed', number: '2' })
  const found = await findEndBase(sampleData([one], [two]), chainOf())
  expect(found).toMatchObject({ kind: 'paths_needed', paidBy: { seq: 2 } })
})

test('does not take another header with the number of the last one', async () => {
  const other = { ...two, signed: { ...two.signed, hash: one.signed.hash } }
  expect(await findEndBase(sampleData([other]), chainOf())).toEqual({ kind: 'header_needed', number: '2' })
})

test('claims under the last exit where the last root lacks it', async () => {
  const account = { ...NEVER, lastBase: 1, lastBlock: 110 }
  expect(await findEndBase(sampleData([one], [two]), chainOf(account))).toMatchObject({
    ...{ kind: 'found', root: { seq: 2 }, earlier: { seq: 1 }, paidBy: { seq: 1 } },
  })
  expect(await findEndBase(sampleData([two]), chainOf(account))).toEqual({ kind: 'earlier_needed', seq: 1 })
})

test('does not claim under a root below the floor', async () => {
  expect(await findEndBase(sampleData([two]), chainOf({ ...NEVER, floor: 3 }))).toEqual({ kind: 'below_floor' })
})

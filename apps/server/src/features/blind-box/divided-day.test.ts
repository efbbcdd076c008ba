import { readBalances } from '@clearwell/ledger/read-balances'
import { verifyBox } from '@clearwell/verify/verify-box'
import type { DayFile } from '@clearwell/verify/verify-day'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxesOf } from '../../domain/boxes/box.store.ts'
import { readRewardsOf, readSourceEntries, readSources } from '../../domain/boxes/box-sources.store.ts'
import { REWARDS } from '../../platform/ledger/accounts.ts'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'
import { fixedPace } from '../../platform/time/batch-pace.ts'
import { advanceRounds } from './box-jobs.ts'
import { BOX_REWARDS } from './box-money.ts'
import { describeDay, proveBox } from './box-proof.ts'
import { advanceDays } from './close-day.ts'
import { type BoxWorld, openBoxWorld } from './testing/box-world.ts'

const DAY = '2026-11-22'
const BOXES = 11
const userOf = (index: number) => `0x${String(index).padStart(40, '0')}`

/** A day of 11 boxes, divided in runs of 4. */
let world: BoxWorld
let file: DayFile
beforeAll(async () => {
  world = await openBoxWorld()
  await advanceDays(world.deps)
  for (let index = 0; index < BOXES; index += 1) await world.addUser(userOf(index))
  await world.earn('2', 'BNB')
  world.goTo('2026-11-22T10:00:00+08:00')
  for (let index = 0; index < 300; index += 1) await world.earn('2', 'USDT')
  for (let index = 0; index < BOXES; index += 1) await world.click(userOf(index))
  world.goTo('2026-11-23T00:00:01+08:00')
  await world.settle()
  file = (await world.readDayFile(DAY)) as DayFile
}, 120_000)
afterAll(() => world.close())

test('each box is proved by its leaf, path and header', async () => {
  for (const [index, { box_id }] of file.boxes.entries()) {
    const proof = await proveBox(world.db, box_id)
    expect(proof?.index).toBe(index)
    const { boxes: _boxes, ...header } = file
    expect(proof?.header).toEqual(header)
    const steps = await verifyBox(proof as NonNullable<typeof proof>)
    expect(steps.filter(({ valid }) => valid === false)).toEqual([])
  }
  expect(await proveBox(world.db, '0'.repeat(32))).toBeUndefined()
})

test('a proof of another box fails at the inclusion alone', async () => {
  const [first, second] = await Promise.all(file.boxes.slice(0, 2).map(({ box_id }) => proveBox(world.db, box_id)))
  if (!first || !second) throw new Error('no proof')
  const steps = await verifyBox({ ...first, path: second.path })
  expect(steps.filter(({ valid }) => valid === false).map(({ name }) => name)).toEqual(['inclusion'])
})

test('a day describes its published facts', async () => {
  expect(await describeDay(world.db, DAY)).toMatchObject({
    phase: 'divided',
    seed: file.seed,
    boxes_root: file.boxes_root,
  })
  expect(await describeDay(world.db, '2026-11-24')).toMatchObject({ phase: 'open', seed: null, boxes_root: null })
  expect(await describeDay(world.db, '2027-11-24')).toBeUndefined()
})

test('the sources of a pool add up to it, entry by entry', async () => {
  const usdt = file.pool.find(({ asset }) => asset === 'USDT')
  expect(usdt?.rewards).toBe('600')
  const sources = await readSources(world.db, DAY)
  expect(sources).toEqual([{ asset: 'USDT', kind: 'swap', units: 600n * 10n ** 18n, entries: 300 }])
  let below = 10_000n
  let [sum, pages] = [0n, 0]
  for (let next: bigint | undefined = below; next !== undefined; pages += 1) {
    below = next
    const page = await readSourceEntries(world.db, { after: 0n, below, asset: 'USDT', limit: 70 })
    sum += page.rows.reduce((total, { units }) => total + units, 0n)
    next = page.next
  }
  expect([sum, pages]).toEqual([600n * 10n ** 18n, 5])
  // The rest for the next day is the balance of the ledger.
  const balances = (await readBalances(world.db, [REWARDS])).map(({ asset, units }) => [asset, units])
  const rest = (await readRewardsOf(world.db, '2026-11-23')).filter(({ units }) => units > 0n)
  expect(new Map(rest.map(({ asset, units }) => [asset, units]))).toEqual(new Map(balances as [string, bigint][]))
})

test('rewards are announced, reminded of and returned, each once', async () => {
  const sent: NoticeDraft[] = []
  const notices = { send: async (_tx: unknown, drafts: readonly NoticeDraft[]) => void sent.push(...drafts) }
  const paces = { announce: fixedPace(4), remind: fixedPace(4), expire: fixedPace(4) }
  const run = async () => {
    while ((await advanceRounds({ ...world.deps, notices, paces })) === 'advanced');
  }
  const kinds = () =>
    Object.entries(Object.groupBy(sent, ({ kind }) => kind)).map(([kind, each]) => [kind, each.length])
  await run()
  await run()
  expect(kinds()).toEqual([['box_claimable', BOXES]])
  world.goTo('2026-12-20T01:10:00+08:00')
  await run()
  expect(kinds()).toEqual([
    ['box_claimable', BOXES],
    ['box_expiring', BOXES],
  ])
  expect(sent.at(-1)).toMatchObject({
    link: '/node/claim',
    params: { day: DAY, reward: [{ asset: 'BNB' }, { asset: 'USDT' }] },
  })
  world.goTo('2026-12-23T01:10:00+08:00')
  await run()
  expect(sent.length).toBe(2 * BOXES)
  const left = await readBalances(world.db, [BOX_REWARDS])
  expect(left.filter(({ units }) => units !== 0n)).toEqual([])
  const [box] = await boxesOf(world.db, userOf(0), undefined, 1)
  expect(box).toMatchObject({ status: -1, outcome: 'expired' })
  // The returned rewards are named among the sources of their day's pool.
  await advanceDays(world.deps)
  const sources = await readSources(world.db, '2026-12-23')
  expect(sources.map(({ asset, kind, entries }) => [asset, kind, entries])).toEqual([
    ['BNB', 'box_expiry', BOXES],
    ['USDT', 'box_expiry', BOXES],
  ])
})

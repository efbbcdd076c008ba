import { DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { verifyBox } from '@clearwell/verify/verify-box'
import { type DayFile, verifyDay } from '@clearwell/verify/verify-day'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxesOf } from '../../domain/boxes/box.store.ts'
import { boxItem } from '../../domain/boxes/box-item.ts'
import { dataOfRefusal } from '../../testing/refusal-data.ts'
import { endExact, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'

const HOUR_S = 3_600
let server: TestServer
let alice: TestUser
let bob: TestUser
/** The day of the boxes. */
let day: string

/** Moves the clock to this hour of the next day in Hong Kong. */
async function goToNextDay(hour: number): Promise<void> {
  const { ends_at } = await server.ok('boxRules', {})
  const { time } = await server.ok('config', {})
  const leftS = Math.ceil((Date.parse(ends_at) - Date.parse(time)) / 1_000)
  await server.ok('localAdvance', { seconds: leftS + hour * HOUR_S })
}

const swap = (user: TestUser, key: string) =>
  server.ok(
    'doSwap',
    { pool_id: 'bnb-usdt', amount: '100', inverse: 1, min_amount_out: '0', deadline: '2090-01-01' },
    { token: user.token, key },
  )

beforeAll(async () => {
  server = await startTestServer()
  const { pool } = await server.ok('boxRules', {})
  expect(pool.map((each) => each.pool)).toEqual(['0', '0', '0', '0'])
  ;[alice, bob] = [await server.newUser(), await server.newUser()]
  for (const user of [alice, bob]) {
    await user.transferIn('USDT', '500')
    await user.activateByBalance()
  }
  // The commitment of the next day is published before it begins.
  await server.ok('localAdvance', { seconds: 1 })
  // Both have paid fees before the day of the boxes: 0.08 USDT each.
  await goToNextDay(9)
  await Promise.all([swap(alice, 'early-swap'), swap(bob, 'early-swap-two')])
  await goToNextDay(9)
  await swap(alice, 'first-swap')
  await server.ok('localAdvance', { seconds: 10 })
}, 120_000)
afterAll(() => endExact(server))

test('a click makes one box a day, in two tabs', { tags: ['§1.07'] }, async () => {
  const before = await server.ok('boxStatus', {}, alice)
  expect(before).toMatchObject({ clicked: false, can_click: true, opens_at: null, streak: 0, my_power: '0', box: null })
  // The swap of today counts from tomorrow on.
  expect(before).toMatchObject({ fees_30_days: '0.08', level_factor: '1', streak_factor: '1', click_power: '0.08' })
  const click = (key: string, user = alice) => server.call('clickBox', {}, { token: user.token, key })
  const [first, second] = await Promise.all([click('tab-one-1'), click('tab-two-2')])
  expect([first.code, second.code].toSorted()).toEqual([1, 20008])
  const made = first.code === 1 ? first : second
  expect(made.data.box).toMatchObject({ status: 2, draw: null, power: '0.08', fees: '0.08', reward: [], share: null })
  const retried = await Promise.all([click('tab-one-1'), click('tab-two-2')])
  expect(retried).toEqual([first, second])
  const refused = dataOfRefusal('not_open', first.code === 1 ? second : first)
  const after = await server.ok('boxStatus', {}, alice)
  expect(after).toMatchObject({
    clicked: true,
    can_click: false,
    reason: 'clicked',
    opens_at: refused.opens_at,
    streak: 1,
  })
  expect([after.my_power, after.network_power, after.contributors]).toEqual(['0.08', '0.08', 1])
  await click('bobs-click', bob)
  day = after.day
})

test('a user who is not activated cannot click', async () => {
  const visitor = await server.newUser({ faucet: false })
  expect((await server.call('clickBox', {}, visitor)).code).toBe(20003)
  expect(await server.ok('boxStatus', {}, visitor)).toMatchObject({ can_click: false, reason: 'not_activated' })
})

test('the rules are live for everyone', { tags: ['§2.68', '§2.69', '§2.70'] }, async () => {
  await server.ok('localAdvance', { seconds: 10 })
  const rules = await server.ok('boxRules', {})
  expect(rules).toMatchObject({
    rule: 'table',
    contributors: 2,
    network_power: '0.16',
    closing: [],
    clicks: { opens_at: null },
  })
  expect(rules.odds.map(({ factor, chance }) => [factor, chance])).toEqual([
    [1, '0.6'],
    [2, '0.25'],
    [3, '0.1'],
    [5, '0.04'],
    [10, '0.01'],
  ])
  // The revenue of today's swap: 0.08 % of 100 USDT, and 70 % of it, since the trader has no inviter.
  expect(rules.sources).toEqual([{ asset: 'USDT', kind: 'swap', amount: '0.056', entries: 1 }])
  // Of the fees of the box owners, half counts for the bound of the pool: 0.04 USDT each.
  expect(rules.pool.find(({ asset }) => asset === 'USDT')).toMatchObject({ rewards: '0.168', contributed: '0.08' })
  const { items } = await server.ok('boxHistory', { limit: 1 })
  expect(items[0]?.address).toMatch(/^0x[0-9a-f]{4}…[0-9a-f]{4}$/)
})

test('an advance over midnight closes the day, and its file is right', async () => {
  expect((await server.call('boxDayFile', { day })).code).toBe(20009)
  await goToNextDay(9)
  const proof = await server.ok('boxProof', { day })
  expect(proof).toMatchObject({ phase: 'divided', rule: 'table', box_count: 2, seed: expect.any(String) })
  const response = await server.app.inject(`/api/BlindBox/day.json?day=${day}`)
  expect(response.headers['content-disposition']).toContain(`clearwell-day-${day}.json`)
  const file = response.json() as DayFile
  expect(await verifyDay(file, { commitment: proof.commitment ?? '', root: proof.boxes_root ?? '' })).toMatchObject({
    valid: true,
  })
  for (const [mutation, code] of mutations(file)) expect((await verifyDay(mutation)).counts).toHaveProperty(code)
  const box = (await server.ok('boxes', { status: 0 }, alice)).items[0]
  const inclusion = await server.ok('boxInclusion', { box_id: box?.box_id ?? '' })
  expect((await verifyBox(inclusion)).filter(({ valid }) => valid === false)).toEqual([])
  expect((await server.ok('boxDays', {})).items[0]).toMatchObject({ day, box_count: 2 })
})

/** The file of the server with one change each, and the code that names it. */
function mutations(file: DayFile): [DayFile, string][] {
  const [first, second] = file.boxes as [DayFile['boxes'][number], DayFile['boxes'][number]]
  const late = new Date(Date.parse(file.closes_at) + 21 * 60_000).toISOString()
  const more = first.rewards.map(({ asset, amount }) => ({ asset, amount: `1${amount}` }))
  return [
    [{ ...file, seed: '0'.repeat(64) }, 'changed_seed'],
    [{ ...file, boxes: [first] }, 'removed_box'],
    [{ ...file, boxes: [first, second, { ...second, box_id: 'f'.repeat(32) }] }, 'added_box'],
    [{ ...file, boxes: [{ ...first, level_factor: '1.02' }, second] }, 'wrong_factor'],
    [{ ...file, boxes: [{ ...first, rewards: more }, second] }, 'wrong_share'],
    [{ ...file, root_at: late }, 'late_root'],
  ]
}

test('the ledger entries behind a pool add up to it', async () => {
  const { pools, sources, items } = await server.ok('boxSources', { day, asset: 'USDT' })
  const usdt = pools.find(({ asset }) => asset === 'USDT')
  expect(usdt).toMatchObject({ opening: '0.112', rewards: '0.168', contributed: '0.08', pool: '0.002666666666666666' })
  expect(sources).toEqual([{ asset: 'USDT', kind: 'swap', amount: '0.056', entries: 1 }])
  expect(items).toMatchObject([{ kind: 'swap', asset: 'USDT', amount: '0.056' }])
  expect((await server.call('boxSources', { day: '2026-02-30' })).code).toBe(20000)
  expect((await server.call('boxSources', { day: '2020-01-01' })).code).toBe(20009)
})

test('a claim pays all boxes once, and the income has them', { tags: ['§1.07', '§2.67'] }, async () => {
  const status = await server.ok('boxStatus', {}, alice)
  expect(status).toMatchObject({ claimable_boxes: 1, streak: 1, can_click: true, streak_factor: '1.01' })
  const before = await alice.available('USDT')
  const foreign = (await server.ok('boxes', {}, bob)).items[0]?.box_id ?? ''
  expect(
    (await server.call('claimBoxes', { box_ids: [foreign] }, { token: alice.token, key: 'not-my-box' })).code,
  ).toBe(20009)
  const [claimed, retried] = await Promise.all(
    [1, 2].map(() => server.ok('claimBoxes', {}, { token: alice.token, key: 'claim-all' })),
  )
  expect(retried).toEqual(claimed)
  expect(claimed?.amount).toEqual(status.claimable)
  const gained = Number(await alice.available('USDT')) - Number(before)
  expect(gained).toBeCloseTo(Number(status.claimable[0]?.amount), 12)
  expect((await server.call('claimBoxes', {}, { token: alice.token, key: 'claim-again' })).code).toBe(20010)
  expect((await server.ok('boxes', { status: 1 }, alice)).items).toHaveLength(1)
  const calendar = await server.ok('boxCalendar', { month: day.slice(0, 7) }, alice)
  expect(calendar).toMatchObject({ first_day: day, days: [{ day, status: 1, streak: 0 }] })
  const income = await server.ok('nodeIncome', {}, alice)
  expect(income.totals).toEqual(status.claimable)
  expect(income.series).toEqual([{ day, amounts: status.claimable }])
  const overview = await server.ok('nodeOverview', {}, alice)
  expect(overview).toMatchObject({ activated: true, income: status.claimable, last_day: day, claimable: [], boxes: 1 })
  const csv = await server.app.inject({ url: '/api/Node/income.csv', headers: { 'xx-token': alice.token } })
  expect(csv.body.split('\r\n')[1]).toContain(`${day},`)
  const logs = await server.ok('logs', { kind: 'box_reward' }, alice)
  expect(logs.items[0]?.amount).toBe(status.claimable[0]?.amount)
})

test('a user is notified of a reward, reminded, and it expires', async () => {
  // The session ends after seven days.
  const kinds = async () => {
    const rows = await server.db.query<{ kind: string }>('select kind from notices where user_id = $1 order by id', [
      bob.id,
    ])
    return rows.map(({ kind }) => kind)
  }
  await server.ok('localAdvance', { seconds: 11 })
  expect(await kinds()).toEqual(['box_claimable'])
  await server.ok('localAdvance', { seconds: 27 * 24 * HOUR_S })
  expect(await kinds()).toEqual(['box_claimable', 'box_expiring'])
  await server.ok('localAdvance', { seconds: 3 * 24 * HOUR_S })
  const [box] = await boxesOf(server.db, bob.id, undefined, 1)
  expect(box && boxItem(box, DEFAULT_BOX_RULES)).toMatchObject({ day, status: -1, reason: 'expired' })
})

import { blindBoxRoutes } from '@clearwell/api/blind-box.routes'
import type { Command } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { NotReady } from '@clearwell/ledger/writer'
import { amountOf } from '@clearwell/money/amount'
import type { MembershipLevel } from '@clearwell/rules/box-power'
import { DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { verifyBox } from '@clearwell/verify/verify-box'
import { type DayFile, verifyDay } from '@clearwell/verify/verify-day'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { boxesOf, claimableOf, dividedAfter, type OwnedBox } from '../../domain/boxes/box.store.ts'
import { boxItem } from '../../domain/boxes/box-item.ts'
import { readBoxStatus } from '../../domain/boxes/box-today.ts'
import { readRecord } from '../../domain/boxes/day-records.ts'
import type { ChainBlock } from '../../platform/chain/chain.ts'
import { parseForm } from '../../platform/http/parse-body.ts'
import { REWARDS, TREASURY, userAccount } from '../../platform/ledger/accounts.ts'
import { fixedPace } from '../../platform/time/batch-pace.ts'
import { fixedRule } from '../../testing/fixed-rule.ts'
import { boxHandlers, statusHandlers } from './blind-box.handlers.ts'
import { readDay } from './box-day.store.ts'
import { BOX_REWARDS, claimBoxes, expireBoxes } from './box-money.ts'
import { describeDay, proveBox } from './box-proof.ts'
import { clickBox } from './click-box.ts'
import { advanceDays, type DayCloseDependencies } from './close-day.ts'
import { stopsOfAdvance } from './local-stops.ts'
import { createSeeds } from './seeds.ts'
import { type BoxWorld, openBoxWorld, PLENTY } from './testing/box-world.ts'

const DAY = '2026-11-22'
const userOf = (index: number) => `0x${String(index).padStart(40, '0')}`

const open: BoxWorld[] = []
afterEach(async () => {
  for (const world of open.splice(0)) await world.close()
})

/** A world in which the commitment of the 22nd is published. */
async function worldBefore(changes: Partial<BoxWorld['deps']> = {}): Promise<BoxWorld> {
  const world = await openBoxWorld(changes)
  open.push(world)
  await advanceDays(world.deps)
  return world
}

/** A world whose 22nd has ended with this many boxes of as many users. */
async function worldAfter(boxes: number, changes: Partial<BoxWorld['deps']> = {}): Promise<BoxWorld> {
  const world = await worldBefore(changes)
  for (let index = 0; index < boxes; index += 1) await world.addUser(userOf(index), (index % 6) as MembershipLevel)
  world.goTo('2026-11-22T10:00:00+08:00')
  await world.earn('600.5', 'USDT')
  await world.earn('0.75', 'BNB')
  for (let index = 0; index < boxes; index += 1) await world.click(userOf(index))
  world.goTo('2026-11-23T00:00:01+08:00')
  return world
}

const fileOf = async (world: BoxWorld, day = DAY) => (await world.readDayFile(day as typeof DAY)) as DayFile
const unitsOf = async (world: BoxWorld, account: string) =>
  Object.fromEntries((await readBalances(world.db, [account])).map(({ asset, units }) => [asset, units]))

const claimable = (world: BoxWorld, userId: string, ids?: string[]) =>
  claimableOf(world.db, { userId, ids, now: world.now() })
const claimOf = (
  userId: string,
  assigned: OwnedBox[],
  { asked, key }: { asked?: string[] | undefined; key?: string | undefined } = {},
) => claimBoxes({ userId, assigned, asked, opening: 'always', key })

test('a day is drawn, divided and published, and the verifier confirms it', async () => {
  const world = await worldAfter(11)
  // Revenue after the day belongs to the next one.
  await world.earn('1000', 'USDT')
  await world.settle()
  const file = await fileOf(world)
  const readBlock = async (number: number) => {
    const block = await world.deps.chain.block(BigInt(number))
    return block && { hash: block.hash, time: block.time.toISOString() }
  }
  const commitment = world.deps.seeds.commitment(DAY)
  expect(await verifyDay(file, { commitment, readBlock })).toEqual({
    valid: true,
    findings: [],
    counts: {},
    warnings: [],
  })
  expect(file).toMatchObject({ rule: 'table', box_count: 11, seed: expect.any(String) })
  expect(file.pool.map(({ asset, rewards }) => [asset, rewards])).toEqual([
    ['BNB', '0.75'],
    ['ETH', '0'],
    ['RT', '0'],
    ['USDT', '600.5'],
  ])
  const shared = Object.fromEntries(file.pool.map((each) => [each.asset, amountOf(each.shared, 'USDT').units]))
  expect(await unitsOf(world, BOX_REWARDS)).toEqual({ BNB: shared.BNB, USDT: shared.USDT })
  expect((await unitsOf(world, REWARDS)).USDT).toBe(amountOf('1600.5', 'USDT').units - (shared.USDT ?? 0n))
})

test('an advance draws the boxes clicked on the day it leaves', async () => {
  const chain = chainOfStops()
  const world = await worldBefore({ chain, confirmations: 2 })
  await world.addUser(userOf(1))
  world.goTo('2026-11-22T12:00:00+08:00')
  await world.click(userOf(1))
  const [from, to] = [world.now(), new Date('2026-11-25T12:00:00+08:00')]
  for (const stop of [
    ...(await stopsOfAdvance(world.db, { from, to, confirmations: 2, rules: DEFAULT_BOX_RULES })),
    to,
  ]) {
    chain.mine(stop)
    world.goTo(stop.toISOString())
    while ((await advanceDays(world.deps)) === 'advanced');
  }
  expect(await fileOf(world)).toMatchObject({ rule: 'table', seed: expect.any(String) })
})

/** The local chain in an advance: it mines one block at each stop. */
function chainOfStops(): DayCloseDependencies['chain'] & { mine(time: Date): void } {
  const blocks: ChainBlock[] = []
  const mine = (time: Date) => void blocks.push({ number: BigInt(blocks.length), hash: `0x${'ab'.repeat(32)}`, time })
  mine(new Date('2026-11-21T00:00:00Z'))
  return { mine, head: async () => blocks.at(-1) as ChainBlock, block: async (number) => blocks[Number(number)] }
}

test('the seed is nowhere in the database before the block is known', async () => {
  const world = await worldAfter(2)
  const seed = Buffer.from(world.deps.seeds.reveal(DAY, world.deps.seeds.commitment(DAY)) ?? []).toString('hex')
  const isStored = async () =>
    (await world.db.query<{ row: string }>('select d::text as row from box_days d')).some(({ row }) =>
      row.includes(seed),
    )
  for (let step = 0; step < 20; step += 1) await advanceDays(world.deps)
  expect((await fileOf(world)) ?? null).toBeNull()
  expect(await isStored()).toBe(false)
  await world.settle()
  expect(await isStored()).toBe(true)
})

/** A server that dies at its `last` use of the database or the writer: before the work, or after it was stored. */
function dyingAt(world: BoxWorld, last: number, { isStored }: { isStored: boolean }): DayCloseDependencies {
  let used = 0
  const use = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    used += 1
    if (used < last) return work()
    if (used === last && isStored) await work()
    throw new NotReady('this server is dead')
  }
  const { db, writer } = world
  const dying: Database = { ...db, transaction: (work) => use(() => db.transaction(work)) }
  const execute = <Result>(command: Command<Result>) => use(() => writer.execute(command))
  return { ...world.deps, db: dying, writer: { execute } }
}

test('a server that dies at any step leaves the same result', { timeout: 120_000 }, async () => {
  const whole = await worldAfter(6)
  await whole.settle()
  const expected = await fileOf(whole)
  for (const isStored of [false, true]) {
    const world = await worldAfter(6)
    let deaths = 0
    // Each server does one step more or less than the one before it, and dies.
    for (let last = 1; (await fileOf(world)) === undefined && deaths < 60; last = (last % 2) + 1, deaths += 1) {
      await world.settleUntilDeath(dyingAt(world, last, { isStored }))
      if (deaths % 4 === 3) await world.settle()
    }
    await world.settle()
    expect({ ...(await fileOf(world)), seed_at: '' }).toEqual({ ...expected, seed_at: '' })
  }
})

test('a day is not closed before its last entry is counted', async () => {
  const world = await worldBefore()
  world.goTo('2026-11-22T10:00:00+08:00')
  // The day before ends here.
  await world.settle()
  await world.earn('600.5', 'USDT')
  world.goTo('2026-11-23T00:00:01+08:00')
  const { db, writer } = world
  let isClosing = false
  // A server that counts nothing, and takes everything for counted until it closes the day.
  const blind: DayCloseDependencies = {
    ...world.deps,
    db: {
      ...db,
      query: async (text, params) =>
        text.includes('from box_source_cursor') ? [{ seq: 1_000_000n } as never] : db.query(text, params),
      transaction: (work) => (isClosing ? db.transaction(work) : Promise.resolve(0 as never)),
    },
    writer: {
      execute(command) {
        isClosing ||= command.kind === 'close_clicks'
        return writer.execute(command)
      },
    },
  }
  await expect(advanceDays(blind)).rejects.toThrow(`${DAY} has entries that are not counted`)
  expect((await readDay(world.db, DAY))?.phase).toBe('open')
  await world.settle()
  expect((await readDay(world.db, DAY))?.phase).toBe('divided')
})

test.each([
  ['rooted', 'block_not_before', `the day ${DAY} is rooted without a time for its block`],
  ['mined', 'block_time', `the day ${DAY} has no time of its block`],
] as const)('a %s day without its %s stops', async (phase, column, fault) => {
  const world = await worldAfter(1)
  const phaseOf = async () => (await readDay(world.db, DAY))?.phase
  for (let step = 0; step < 60 && (await phaseOf()) !== phase; step += 1)
    if ((await advanceDays(world.deps)) === 'waiting') world.pass()
  const [lost] = await world.db.query<{ at: Date }>(`select ${column} as at from box_days where day = $1`, [DAY])
  await world.db.query(`update box_days set ${column} = null where day = $1`, [DAY])
  await expect(advanceDays(world.deps)).rejects.toThrow(fault)
  expect(await phaseOf()).toBe(phase)
  await world.db.query(`update box_days set ${column} = $2 where day = $1`, [DAY, lost?.at])
  await world.settle()
  expect(await phaseOf()).toBe('divided')
})

test.each([
  [8, 4],
  [4, 8],
])('a tree keeps its runs of %i where new ones have %i', async (before, after) => {
  const world = await worldAfter(10, { boxesPerRun: before })
  while (((await describeDay(world.db, DAY))?.box_count ?? 0) === 0) await advanceDays(world.deps)
  await world.settle({
    ...world.deps,
    boxesPerRun: after,
    paces: { ...world.deps.paces, tree: fixedPace(5) },
  })
  const file = await fileOf(world)
  expect((await verifyDay(file)).findings).toEqual([])
  for (const [index, { box_id }] of file.boxes.entries()) {
    const proof = await proveBox(world.db, box_id)
    expect(proof?.index).toBe(index)
    expect((await verifyBox(proof as NonNullable<typeof proof>)).filter(({ valid }) => valid === false)).toEqual([])
  }
})

test('a root on record is published by the next server, however late', async () => {
  const world = await worldAfter(3)
  const execute = async <Result>(command: Command<Result>) => {
    const result = await world.writer.execute(command)
    const { phase } = command.payload as { phase?: string }
    if (command.kind === 'record_box_day' && phase === 'rooted') throw new NotReady('this server is dead')
    return result
  }
  await world.settleUntilDeath({ ...world.deps, writer: { execute } })
  const [before, recorded] = [await readDay(world.db, DAY), await recordOf(world)]
  expect(before).toMatchObject({ phase: 'closed', boxes_root: null })
  expect(recorded).toMatchObject({ phase: 'rooted', boxes_root: expect.any(String) })
  world.goTo('2026-11-26T12:00:00+08:00')
  await world.settle()
  const { boxes_root, root_at, block_not_before } = recorded
  // Its seed is late, so nothing is divided.
  const published = { boxes_root, root_at, block_not_before, phase: 'divided', void_reason: 'no_seed' }
  expect(await readDay(world.db, DAY)).toMatchObject(published)
  expect(await recordOf(world)).toMatchObject(published)
})

async function recordOf(world: BoxWorld) {
  const [row] = await world.db.query<{ body: string }>('select body from box_day_records where id = $1', [DAY])
  return readRecord(row?.body ?? '').day
}

test('two servers that close a day together divide it once', async () => {
  const world = await worldAfter(9)
  for (let round = 0; round < 60; round += 1) {
    await Promise.all([advanceDays(world.deps), advanceDays({ ...world.deps })])
    if (round % 5 === 4) world.goTo(new Date(world.now().getTime() + 240_000).toISOString())
  }
  const file = await fileOf(world)
  expect((await verifyDay(file)).findings).toEqual([])
  const usdt = file.pool.find(({ asset }) => asset === 'USDT')
  expect((await unitsOf(world, BOX_REWARDS)).USDT).toBe(amountOf(usdt?.shared ?? '0', 'USDT').units)
})

/** The treasury and `rewards` in USDT, and what the treasury still owes. */
async function moneyOf(world: BoxWorld) {
  const [rewards, treasury] = [await unitsOf(world, REWARDS), await unitsOf(world, TREASURY)]
  const [debt] = await world.db.query<{ units: bigint }>("select units from treasury_debts where id = 'USDT'")
  return { rewards: rewards.USDT ?? 0n, treasury: treasury.USDT ?? 0n, owed: debt?.units ?? 0n }
}

/**
 * @attack R02 A void day that cost the operator nothing was a free choice between good and bad draws.
 * @holds The treasury pays into rewards what the day would have divided; what it lacks it pays of its next income.
 */
test('a withheld seed voids the day at the cost of the treasury', async () => {
  const world = await worldAfter(3)
  await world.earn('5', 'USDT', TREASURY)
  // An operator who dislikes the draws must not end the wait by a new key or by forbidding draws.
  for (const seeds of [createSeeds(new Uint8Array(32).fill(8)), undefined]) {
    await world.settle({ ...world.deps, seeds, allowsDraws: seeds !== undefined })
    expect(await describeDay(world.db, DAY)).toMatchObject({ phase: 'mined', seed: null, void: false })
  }
  const before = await moneyOf(world)
  world.goTo('2026-11-24T00:30:00.001+08:00')
  await world.settle({ ...world.deps, seeds: undefined })
  expect(await describeDay(world.db, DAY)).toMatchObject({ void: true, void_reason: 'no_seed', header: null })
  expect(await fileOf(world)).toBeUndefined()
  const pool = amountOf('600.5', 'USDT').units / 30n
  const five = amountOf('5', 'USDT').units
  expect(await moneyOf(world)).toEqual({ rewards: before.rewards + five, treasury: 0n, owed: pool - five })
  const [box] = await boxesOf(world.db, userOf(0), undefined, 10)
  expect(box && boxItem(box, DEFAULT_BOX_RULES)).toMatchObject({
    status: -1,
    reason: 'no_seed',
    reward: [],
    draw: null,
  })
  // The next income pays the rest before anything else.
  await world.earn('100', 'USDT', TREASURY)
  await advanceDays(world.deps)
  const hundred = amountOf('100', 'USDT').units
  expect(await moneyOf(world)).toEqual({
    rewards: before.rewards + pool,
    treasury: hundred - (pool - five),
    owed: 0n,
  })
})

/**
 * @attack S09 An operator could hold a root back and date it so that a favoured block counts.
 * @holds A late root moves to a later block; without a root ten minutes before the last time the day is void.
 */
test('a late root moves the day to a later block', async () => {
  const late = await worldAfter(3)
  late.goTo('2026-11-23T03:00:00+08:00')
  await advanceDays(late.deps)
  await late.settle()
  expect(await describeDay(late.db, DAY)).toMatchObject({
    phase: 'rooted',
    block_not_before: '2026-11-22T22:00:00.000Z',
  })
  late.goTo('2026-11-23T06:04:00+08:00')
  await late.settle()
  expect((await verifyDay(await fileOf(late))).findings).toEqual([])
  expect(await fileOf(late)).toMatchObject({ block_time: '2026-11-22T22:00:00.000Z', seed: expect.any(String) })
})

test('a server that slept for days voids them in order', async () => {
  const world = await worldAfter(3)
  await advanceDays({ ...world.deps, clock: { now: () => new Date('2026-11-22T23:00:00+08:00') } })
  await world.earn('1000', 'USDT', TREASURY)
  const before = await moneyOf(world)
  world.goTo('2026-11-27T10:00:00+08:00')
  await world.settle()
  expect(await describeDay(world.db, DAY)).toMatchObject({ void: true, void_reason: 'no_root', boxes_root: null })
  const pool = amountOf('600.5', 'USDT').units / 30n
  // A day without boxes would have divided nothing, so the days after cost nothing.
  expect(await moneyOf(world)).toEqual({
    rewards: before.rewards + pool,
    treasury: before.treasury - pool,
    owed: 0n,
  })
})

test('an account of the operator clicks no box', async () => {
  const world = await worldBefore()
  await world.addUser(userOf(0))
  const click = world.click(userOf(0), { isOperators: true })
  await expect(click).rejects.toMatchObject({ message: 'not_available', data: { reason: 'operator_account' } })
})

/**
 * @attack S18 An account with a tree of leads or an old streak multiplied a share that needs no fees.
 * @holds Power comes from the fees of the 30 days before the day; today's fees and older ones do not count.
 */
test('fees of the 30 days before make the power of a box', async () => {
  const world = await worldBefore()
  world.goTo('2026-11-21T12:00:00+08:00')
  await world.addUser(userOf(0), 5)
  world.goTo('2026-11-22T12:00:00+08:00')
  await world.payFees(userOf(0), { revenue: 7n })
  const powerOn = async (time: string) => {
    world.goTo(time)
    await world.click(userOf(0))
    const [box] = await boxesOf(world.db, userOf(0), undefined, 1)
    return box?.fees
  }
  expect(await powerOn('2026-11-22T13:00:00+08:00')).toBe(amountOf('100', 'USDT').units)
  expect(await powerOn('2026-11-23T00:00:00+08:00')).toBe(amountOf('100', 'USDT').units + 7n)
  expect(await powerOn('2026-12-21T12:00:00+08:00')).toBe(amountOf('100', 'USDT').units + 7n)
  expect(await powerOn('2026-12-22T12:00:00+08:00')).toBe(7n)
  expect(await powerOn('2026-12-23T12:00:00+08:00')).toBe(0n)
})

test('a day divides a part of its owners’ fees at most', async () => {
  const world = await worldBefore()
  await world.addUser(userOf(0))
  // Loses the plenty of a test's user.
  await world.payFees(userOf(0), { revenue: 0n, bnb: -PLENTY, usdt: amountOf('3', 'USDT').units - PLENTY })
  world.goTo('2026-11-22T10:00:00+08:00')
  await world.earn('120000', 'USDT')
  await world.click(userOf(0))
  world.goTo('2026-11-23T00:00:01+08:00')
  await world.settle()
  const file = await fileOf(world)
  expect(file.pool.find(({ asset }) => asset === 'USDT')).toMatchObject({
    contributed: '3',
    pool: '0.1',
    shared: '0.1',
  })
})

test('the first day has no early commitment and is flat', async () => {
  const world = await worldBefore()
  await world.addUser(userOf(0))
  await world.click(userOf(0))
  world.goTo('2026-11-22T00:00:00+08:00')
  await world.settle()
  const file = await fileOf(world, '2026-11-21')
  expect((await verifyDay(file)).findings).toEqual([])
  expect(file).toMatchObject({ rule: 'flat', block_hash: null, seed: null })
})

test('boxes fail without a pool, and an empty day shares nothing', async () => {
  const empty = await worldAfter(0)
  await empty.settle()
  expect((await verifyDay(await fileOf(empty))).findings).toEqual([])
  const poor = await worldBefore()
  await poor.addUser(userOf(0))
  poor.goTo('2026-11-22T10:00:00+08:00')
  await poor.click(userOf(0))
  poor.goTo('2026-11-23T00:00:00+08:00')
  await poor.settle()
  expect((await verifyDay(await fileOf(poor))).findings).toEqual([])
  const [box] = await boxesOf(poor.db, userOf(0), undefined, 10)
  expect(box && boxItem(box, DEFAULT_BOX_RULES)).toMatchObject({
    status: -1,
    reason: 'nothing_to_divide',
    reward: [],
    expires_at: null,
  })
})

test('a user clicks once a day; a missed day ends the streak', async () => {
  const world = await worldBefore()
  await world.addUser(userOf(0))
  await expect(world.click(userOf(1))).rejects.toThrow('not_activated')
  world.goTo('2026-11-22T23:59:59.999+08:00')
  // Two tabs.
  const keys = ['tab-one-1', 'tab-two-2']
  const clicks = await Promise.allSettled(keys.map((key) => world.click(userOf(0), { key })))
  expect(clicks.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  // A retry has the first result, and so has a client without keys.
  const retried = await Promise.all([world.click(userOf(0), { key: 'tab-one-1' }), world.click(userOf(0))])
  expect(new Set(retried).size).toBe(1)
  for (const time of ['2026-11-23T00:00:00+08:00', '2026-11-24T12:00:00+08:00', '2026-11-26T12:00:00+08:00']) {
    world.goTo(time)
    await world.click(userOf(0))
  }
  const boxes = await boxesOf(world.db, userOf(0), undefined, 10)
  expect(boxes.map(({ day, streak }) => [day, streak])).toEqual([
    ['2026-11-26', 0],
    ['2026-11-24', 2],
    ['2026-11-23', 1],
    ['2026-11-22', 0],
  ])
  const again = world.click(userOf(0), { key: 'again-again' })
  await expect(again).rejects.toMatchObject({ data: { opens_at: '2026-11-26T16:00:00.000Z' } })
})

test('clicks outside the opening hours are rejected with the next opening', async () => {
  const world = await worldBefore()
  await world.addUser(userOf(0))
  const opening = { opens: '09:00', closes: '18:00' }
  const facts = { rules: DEFAULT_BOX_RULES, isOperators: false }
  const click = (time: string, key: string) => {
    world.goTo(`${DAY}T${time}+08:00`)
    return world.writer.execute(clickBox({ userId: userOf(0), opening, ...facts, receivedAt: world.now(), key }))
  }
  const status = async () =>
    (await readBoxStatus(world.db, { userId: userOf(0), opening, ...facts, now: world.now() })).item
  const [today, tomorrow] = [`${DAY}T01:00:00.000Z`, '2026-11-23T01:00:00.000Z']
  const early = click('08:59:59.999', 'too-early')
  await expect(early).rejects.toMatchObject({ message: 'not_open', data: { opens_at: today } })
  expect(await status()).toMatchObject({ can_click: false, reason: 'not_open', opens_at: today })
  const late = click('18:00:00', 'too-late')
  await expect(late).rejects.toMatchObject({ message: 'not_open', data: { opens_at: tomorrow } })
  expect(await status()).toMatchObject({ can_click: false, reason: 'not_open', opens_at: tomorrow })
  expect(await boxesOf(world.db, userOf(0), undefined, 10)).toEqual([])
  expect(await click('09:00:00', 'in-time')).toMatchObject({ day: DAY })
  await expect(click('17:59:59', 'once-more')).rejects.toMatchObject({
    message: 'not_open',
    data: { opens_at: tomorrow, reason: 'clicked' },
  })
})

test('claims outside the opening hours are rejected with the next opening', { tags: ['§9.46'] }, async () => {
  const world = await worldAfter(1)
  await world.settle()
  const [assigned] = await claimable(world, userOf(0))
  const { claim, claimsOpenAt } = claimsOf(world, userOf(0), { opens: '22:00', closes: '02:00' })
  const opensAt = '2026-11-23T14:00:00.000Z'
  world.goTo('2026-11-23T02:00:00+08:00')
  await expect(claim()).rejects.toMatchObject({ message: 'not_open', data: { opens_at: opensAt } })
  expect(await claimsOpenAt()).toBe(opensAt)
  world.goTo('2026-11-23T22:00:00+08:00')
  expect(await claimsOpenAt()).toBeNull()
  expect(await claim()).toMatchObject({ claimed: [assigned?.boxId] })
})

/** The calls of one user, on a server that opens claims at these times. */
function claimsOf(world: BoxWorld, id: string, claims: { opens: string; closes: string }) {
  const rules = {
    numbers: async () => DEFAULT_BOX_RULES,
    operators: new Set<string>(),
    allowsDraws: true,
    clicks: fixedRule('always' as const),
    claims: fixedRule(claims),
  } as const
  const dependencies = { db: world.db, writer: world.writer, clock: { now: world.now }, rules }
  const request = { user: { id }, idempotencyKey: undefined } as never
  return {
    claim: () => boxHandlers(dependencies).claimBoxes({}, request),
    claimsOpenAt: async () => {
      const status = await statusHandlers(dependencies).boxStatus({}, request)
      return (status as { claims_open_at: string | null }).claims_open_at
    },
  }
}

test('a claim pays each box once, in one command or several', async () => {
  const world = await worldAfter(2)
  await world.settle()
  const [user] = [userOf(0)]
  const claim = async (asked?: string[], key?: string) =>
    world.writer.execute(claimOf(user, await claimable(world, user, asked), { asked, key }))
  const assigned = await claimable(world, user)
  const command = () => world.writer.execute(claimOf(user, assigned))
  const both = await Promise.allSettled([command(), command()])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  await expect(claim()).rejects.toThrow('conflict')
  const reward = Object.fromEntries((assigned[0]?.reward ?? []).map(({ asset, units }) => [asset, units]))
  expect(await unitsOf(world, userAccount(user, 'available'))).toEqual(reward)
  // Not the caller's box.
  const [other] = await claimable(world, userOf(1))
  await expect(claim([other?.boxId ?? ''])).rejects.toThrow('conflict')
  const [box] = await boxesOf(world.db, user, undefined, 10)
  expect(box?.status).toBe(1)
})

test('one command claims some of all the boxes that can be open', async () => {
  const world = await worldBefore()
  const userId = userOf(0)
  await world.addUser(userId)
  await world.assign(userId, 32)
  const open = await claimable(world, userId)
  expect(open).toHaveLength(32)
  // As a browser's form sends them.
  const form = open.slice(1).map(({ boxId }) => `box_ids[]=${boxId}`)
  const { box_ids: asked } = z.parse(blindBoxRoutes.claimBoxes.payload, parseForm(form.join('&')))
  const claimed = await world.writer.execute(claimOf(userId, await claimable(world, userId, asked), { asked }))
  expect(claimed.claimed).toEqual(asked)
  expect(await unitsOf(world, userAccount(userId, 'available'))).toEqual({ USDT: 31n })
  expect(await claimable(world, userId)).toEqual(open.slice(0, 1))
})

test('an unclaimed reward returns after 30 days, once', async () => {
  const world = await worldAfter(2)
  await world.settle()
  const before = await unitsOf(world, BOX_REWARDS)
  const rewards = await unitsOf(world, REWARDS)
  const all = (await dividedAfter(world.db, { day: DAY, cursor_id: '' }, 10)).flatMap(({ owned }) => owned ?? [])
  expect(await world.writer.execute(expireBoxes(all))).toEqual({ expired: 0 })
  world.goTo('2026-12-23T01:10:00+08:00')
  expect(await claimable(world, userOf(0))).toEqual([])
  const late = claimOf(
    userOf(0),
    all.filter(({ userId }) => userId === userOf(0)),
  )
  await expect(world.writer.execute(late)).rejects.toThrow('conflict')
  expect(await world.writer.execute(expireBoxes(all))).toEqual({ expired: 2 })
  expect(await world.writer.execute(expireBoxes(all))).toEqual({ expired: 0 })
  expect((await unitsOf(world, REWARDS)).USDT).toBe((rewards.USDT ?? 0n) + (before.USDT ?? 0n))
  expect((await unitsOf(world, BOX_REWARDS)).USDT ?? 0n).toBe(0n)
  const [box] = await boxesOf(world.db, userOf(0), undefined, 10)
  expect(box && boxItem(box, DEFAULT_BOX_RULES)).toMatchObject({ status: -1, reason: 'expired', reward: [{}, {}] })
})

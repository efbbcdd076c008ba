import { MemoryLedger, refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import type { AssetId } from '@clearwell/money/asset'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { beforeEach, describe, expect, test } from 'vitest'
import type { OwnedBox } from '../../domain/boxes/box.store.ts'
import { boxSettlements, type DayRow } from '../../domain/boxes/box.tables.ts'
import { type DayRecord, readRecord, recordDay } from '../../domain/boxes/day-records.ts'
import { REWARDS, TREASURY, userAccount } from '../../platform/ledger/accounts.ts'
import { treasuryDebts } from '../../platform/ledger/treasury-debts.ts'
import { BOX_REWARDS, claimBoxes, divideDay, expireBoxes, forfeitDay, settleDebts } from './box-money.ts'
import { closedDay } from './testing/closed-day.ts'

const START = new Date('2026-11-22T00:00:00Z')
const DAY = '2026-11-21' as HongKongDay
const usdt = (units: bigint) => ({ asset: 'USDT', units }) as const
const bnb = (units: bigint) => ({ asset: 'BNB', units }) as const

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(START)
})

const held = (asset: AssetId, ...accounts: string[]) => accounts.map((account) => ledger.balance(account, asset))

describe('dividing a day', () => {
  test('takes all assets out of the pot in one entry', () => {
    ledger.add(REWARDS, 'USDT', 100n)
    ledger.add(REWARDS, 'BNB', 7n)
    expect(ledger.execute(divideDay(DAY, [usdt(30n), bnb(7n)]))).toEqual({ divided: true })
    expect(held('USDT', REWARDS, BOX_REWARDS)).toEqual([70n, 30n])
    expect(held('BNB', REWARDS, BOX_REWARDS)).toEqual([0n, 7n])
    expect(ledger.plan(divideDay(DAY, [usdt(1n), bnb(1n)])).entries).toHaveLength(1)
  })

  test('moves nothing where nothing is shared', () => {
    expect(ledger.plan(divideDay(DAY, []))).toEqual({ entries: [], response: { divided: false } })
  })

  test('has one key for each day, with the amounts', () => {
    const { key, payload } = divideDay(DAY, [usdt(3n)])
    expect({ key, payload }).toEqual({
      key: 'divide-2026-11-21',
      payload: { day: DAY, shared: ['0.000000000000000003 USDT'] },
    })
  })
})

/** The 21st with a pool of USDT, as its job has it. */
function dayOf(shared: bigint, changes: Partial<DayRow> = {}): DayRecord {
  const day = closedDay(DAY, { phase: 'shared', boxes_root: 'aa', ...changes })
  return { day, pools: [{ day: DAY, asset: 'USDT', rewards: 100n, pool: 50n, shared, contributed: 0n }] }
}

describe('a day on record', () => {
  test('moves nothing a second time once it is divided', () => {
    ledger.add(REWARDS, 'USDT', 100n)
    const divided_at = START.toISOString()
    expect(ledger.execute(divideDay(DAY, [usdt(30n)], dayOf(30n)))).toEqual({ divided: true, divided_at })
    ledger.advance(60)
    expect(ledger.plan(divideDay(DAY, [usdt(30n)], dayOf(30n)))).toEqual({ response: { divided: true, divided_at } })
    expect(held('USDT', REWARDS, BOX_REWARDS)).toEqual([70n, 30n])
  })

  test('fails with another root, or other rewards', () => {
    ledger.add(REWARDS, 'USDT', 100n)
    ledger.execute(divideDay(DAY, [usdt(30n)], dayOf(30n)))
    const again = (units: bigint, changes: Partial<DayRow>) => () =>
      ledger.plan(divideDay(DAY, [usdt(units)], dayOf(units, changes)))
    expect(again(31n, {})).toThrow('2026-11-21 would share USDT 50 31, and USDT 50 30 is on record')
    expect(again(30n, { boxes_root: 'bb' })).toThrow('2026-11-21 has the root bb, and aa is on record')
    expect(again(30n, { void_reason: 'no_seed' })).toThrow('on record')
  })

  test('is paid for once if it is void', () => {
    ledger.add(TREASURY, 'USDT', 40n)
    const record = dayOf(0n, { boxes_root: null, void_reason: 'no_root' })
    const response = { forfeited: true, divided_at: START.toISOString() }
    expect(ledger.execute(forfeitDay(DAY, [usdt(50n)], record))).toEqual(response)
    ledger.add(TREASURY, 'USDT', 50n)
    ledger.advance(60)
    expect(ledger.plan(forfeitDay(DAY, [usdt(50n)], record))).toEqual({ response })
    expect(ledger.rows(treasuryDebts)).toEqual([{ id: 'USDT', units: 10n }])
  })

  test.each([
    ['divided', divideDay, {}],
    ['forfeited', forfeitDay, { boxes_root: null, void_reason: 'no_root' } as const],
  ])('is not %s where its pool was empty', (word, end, changes) => {
    const record = dayOf(0n, changes)
    const response = { [word]: false, divided_at: START.toISOString() }
    expect(ledger.execute<unknown>(end(DAY, [], record))).toEqual(response)
    ledger.advance(60)
    expect(ledger.plan<unknown>(end(DAY, [], record))).toEqual({ response })
  })

  test('keeps its first root', () => {
    const [first, second] = ['aa', 'bb'].map((boxes_root) => dayOf(0n, { phase: 'rooted', boxes_root }))
    const { body } = ledger.execute(recordDay(first as DayRecord))
    expect(readRecord(body)).toEqual(first)
    expect(ledger.plan(recordDay(second as DayRecord))).toEqual({ response: { body } })
    const older = body.replace(/"seed_at":null,/, '')
    expect([older === body, readRecord(older)]).toEqual([false, first])
    const seeded = dayOf(0n, { phase: 'seeded', boxes_root: 'aa', seed: 'cc' })
    expect(readRecord(ledger.execute(recordDay(seeded)).body)).toEqual(seeded)
  })
})

describe('a void day', () => {
  test('is paid by the treasury into the pot', () => {
    ledger.add(TREASURY, 'USDT', 50n)
    expect(ledger.execute(forfeitDay(DAY, [usdt(50n)]))).toEqual({ forfeited: true })
    expect(held('USDT', TREASURY, REWARDS)).toEqual([0n, 50n])
    expect(ledger.rows(treasuryDebts)).toEqual([])
  })

  test('leaves what the treasury lacks as a debt, to the unit', () => {
    ledger.add(TREASURY, 'USDT', 49n)
    expect(ledger.execute(forfeitDay(DAY, [usdt(50n), bnb(3n)]))).toEqual({ forfeited: true })
    expect(held('USDT', TREASURY, REWARDS)).toEqual([0n, 49n])
    expect(ledger.rows(treasuryDebts)).toEqual([
      { id: 'USDT', units: 1n },
      { id: 'BNB', units: 3n },
    ])
  })

  test('adds to an earlier debt, which is paid before it', () => {
    ledger.put(treasuryDebts, { id: 'USDT', units: 30n })
    ledger.add(TREASURY, 'USDT', 40n)
    // 30 of the 40 are owed already.
    ledger.execute(forfeitDay(DAY, [usdt(15n)]))
    expect(held('USDT', TREASURY, REWARDS)).toEqual([30n, 10n])
    expect(ledger.row(treasuryDebts, 'USDT')).toEqual({ id: 'USDT', units: 35n })
  })

  test('has one key for each day, with the amounts', () => {
    const { key, payload } = forfeitDay(DAY, [usdt(3n), bnb(2n)])
    expect({ key, payload }).toEqual({
      key: 'forfeit-2026-11-21',
      payload: { day: DAY, pool: ['0.000000000000000003 USDT', '0.000000000000000002 BNB'] },
    })
  })

  test('writes no entry while the treasury is empty', () => {
    expect(ledger.plan(forfeitDay(DAY, [usdt(5n)]))).toMatchObject({ entries: [], response: { forfeited: false } })
  })
})

describe('a debt of the treasury', () => {
  /** Pays as the job does, with the database's answers taken from the ledger. */
  async function settle(owed = () => ledger.rows(treasuryDebts)): Promise<unknown[]> {
    const settled: unknown[] = []
    const db = {
      query: async (text: string, [accounts = []]: readonly (readonly string[])[] = []) =>
        text.includes('treasury_debts')
          ? owed().flatMap(({ id, units }) => (units > 0n ? [{ asset: id }] : []))
          : accounts.flatMap((account) =>
              (['USDT', 'BNB'] as const).map((asset) => ({ account, asset, units: ledger.balance(account, asset) })),
            ),
    }
    const writer = { execute: async (command: never) => settled.push(ledger.execute(command)) }
    await settleDebts({ db, writer } as unknown as Parameters<typeof settleDebts>[0])
    return settled
  }

  test('is paid from the next income, partly or whole', async () => {
    ledger.put(treasuryDebts, { id: 'USDT', units: 10n })
    // An income in another asset pays nothing.
    ledger.add(TREASURY, 'BNB', 5n)
    expect(await settle()).toEqual([])
    ledger.add(TREASURY, 'USDT', 4n)
    expect(await settle()).toEqual([{ settled: true }])
    expect(ledger.row(treasuryDebts, 'USDT')?.units).toBe(6n)
    ledger.add(TREASURY, 'USDT', 9n)
    await settle()
    expect(ledger.row(treasuryDebts, 'USDT')?.units).toBe(0n)
    expect(held('USDT', TREASURY, REWARDS)).toEqual([3n, 10n])
    expect(await settle()).toEqual([])
  })

  test('is not paid again after another server paid it meanwhile', async () => {
    ledger.put(treasuryDebts, { id: 'USDT', units: 4n })
    ledger.add(TREASURY, 'USDT', 9n)
    const read = ledger.rows(treasuryDebts)
    await settle()
    expect(await settle(() => read)).toEqual([{ settled: false }])
    expect(held('USDT', TREASURY, REWARDS)).toEqual([5n, 4n])
  })
})

const EXPIRY = new Date('2026-12-22T00:00:00Z')
const box = (boxId: string, reward: OwnedBox['reward']): OwnedBox => ({
  ...{ boxId, userId: 'user', day: DAY, status: 0, expiresAt: EXPIRY },
  reward,
})
const ONE = box('one', [usdt(5n), bnb(2n)])
const TWO = box('two', [usdt(3n)])

describe('a reward', () => {
  beforeEach(() => {
    ledger.add(BOX_REWARDS, 'USDT', 8n)
    ledger.add(BOX_REWARDS, 'BNB', 2n)
  })
  const claim = (assigned: readonly OwnedBox[], opening: Parameters<typeof claimBoxes>[0]['opening'] = 'always') =>
    ledger.execute(claimBoxes({ userId: 'user', assigned, asked: undefined, opening, key: undefined }))
  const mine = userAccount('user', 'available')
  const nothing = { refusal: 'conflict', data: { reason: 'nothing_to_claim' } }

  test('is claimed once, with the boxes added up by asset', () => {
    expect(claim([ONE, TWO])).toEqual({
      claimed: ['one', 'two'],
      amount: [
        { asset: 'BNB', amount: '0.000000000000000002' },
        { asset: 'USDT', amount: '0.000000000000000008' },
      ],
      boxes: [
        expect.objectContaining({ box_id: 'one', day: DAY }),
        { box_id: 'two', day: DAY, reward: [{ asset: 'USDT', amount: '0.000000000000000003' }] },
      ],
      claimed_at: START.toISOString(),
    })
    expect([...held('USDT', mine, BOX_REWARDS), ...held('BNB', mine, BOX_REWARDS)]).toEqual([8n, 0n, 2n, 0n])
    expect(refusalOf(() => claim([ONE, TWO]))).toEqual(nothing)
  })

  test('is left out after a claim in another tab', () => {
    claim([TWO])
    expect(claim([ONE, TWO]).claimed).toEqual(['one'])
    expect(ledger.rows(boxSettlements).map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'two claimed',
      'one claimed',
    ])
  })

  test('is claimed until the last millisecond before it expires', () => {
    ledger.now = new Date(EXPIRY.getTime() - 1)
    expect(claim([TWO]).claimed).toEqual(['two'])
    ledger.now = EXPIRY
    expect(refusalOf(() => claim([ONE]))).toEqual(nothing)
  })

  test('is refused outside the opening hours, with the next opening', () => {
    // It is 08:00 in Hong Kong.
    expect(refusalOf(() => claim([ONE], { opens: '09:00', closes: '21:00' }))).toEqual({
      refusal: 'not_open',
      data: { opens_at: '2026-11-22T01:00:00.000Z' },
    })
    expect(claim([ONE], { opens: '08:00', closes: '21:00' }).claimed).toEqual(['one'])
  })

  test('returns to the pot once it has expired, and only then', () => {
    claim([TWO])
    ledger.now = new Date(EXPIRY.getTime() - 1)
    expect(ledger.execute(expireBoxes([ONE, TWO]))).toEqual({ expired: 0 })
    ledger.now = EXPIRY
    expect(ledger.execute(expireBoxes([ONE, TWO]))).toEqual({ expired: 1 })
    expect(ledger.execute(expireBoxes([ONE, TWO]))).toEqual({ expired: 0 })
    expect([...held('USDT', mine, REWARDS), ...held('BNB', mine, REWARDS)]).toEqual([3n, 5n, 0n, 2n])
  })

  test('binds the key of its claim to the boxes asked for', () => {
    const input = { userId: 'user', assigned: [ONE], opening: 'always', key: 'key' } as const
    const bound = (asked: readonly string[] | undefined) => {
      const { owner, key, payload } = claimBoxes({ ...input, asked })
      return { owner, key, payload }
    }
    expect(bound(['one'])).toEqual({ owner: 'user', key: 'key', payload: { box_ids: ['one'] } })
    expect(bound(undefined)).toEqual({ owner: 'user', key: 'key', payload: { box_ids: 'all' } })
  })
})

import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { NotReady } from '@clearwell/ledger/writer'
import {
  nativeAsset,
  rootVoucherDomain,
  rootVoucherTypes,
  type WithdrawalVoucher,
  withdrawalDomain,
  withdrawalTypes,
} from '@clearwell/vault/abi/withdrawal-typed-data'
import { getAddress, recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChainBlock } from '../chain/chain.ts'
import { createSimulatedChain, type SimulatedChain, simulatedWithdrawal } from '../chain/testing/simulated-chain.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { dayOf } from './daily-caps.ts'
import { voucherStore } from './signer.store.ts'
import { createSigner, type Signer, type SignerAsset, type SignerOptions, type SolvencyPort } from './signer.ts'
import { headerWith, ROOT_KEYS, signRoot } from './testing/signed-root.ts'

const START = new Date('2026-11-21T09:00:00Z')
const HOUR_MS = 3_600_000
const VAULT = `0x${'c'.repeat(40)}` as const
const USDT = `0x${'d'.repeat(40)}` as const
const ANN = `0x${'a'.repeat(40)}` as const
const account = privateKeyToAccount(`0x${'5'.repeat(64)}`)
const ASSETS: SignerAsset[] = [
  { asset: 'BNB', token: nativeAsset, perVoucher: 50n, perAccountPerDay: 100n, perDay: 100n, unit: 1n },
  { asset: 'USDT', token: USDT, perVoucher: 60n, perAccountPerDay: 60n, perDay: 60n, unit: 1n },
]

let db: Database
let now: Date
let vaultState: { isPaused: boolean; signer: string } | Error
let vaultReads: number
let solvency: Awaited<ReturnType<SolvencyPort>> | Error
let chain: SimulatedChain
let errors: string[]
let signer: Signer

beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  now = START
  vaultState = { isPaused: false, signer: account.address.toLowerCase() }
  vaultReads = 0
  solvency = { ok: true }
  chain = createSimulatedChain(31337, { startTime: START })
  errors = []
  signer = newSigner()
})
afterEach(() => db.close())

/** A new signer that knows only the database, as after a restart. */
function newSigner(changes: Partial<SignerOptions> = {}): Signer {
  const valueOrThrow = <Value>(value: Value | Error) => {
    if (value instanceof Error) throw value
    return value
  }
  const readVault = async () => {
    vaultReads++
    return valueOrThrow(vaultState)
  }
  return createSigner({
    db,
    clock: { now: () => now },
    account,
    chainId: 31337,
    vault: VAULT,
    assets: ASSETS,
    chain: { block: chain.block, isNonceUsed: chain.isNonceUsed, vaultState: readVault },
    checkSolvency: async () => valueOrThrow(solvency),
    onError: (error, task) => errors.push(`${task}: ${(error as Error).message}`),
    ...changes,
  })
}

let lastNonce = 0n
function voucher(amount: bigint, changes: Partial<WithdrawalVoucher> = {}): WithdrawalVoucher {
  lastNonce += 1n
  const deadline = BigInt(now.getTime() + HOUR_MS) / 1000n
  return { account: ANN, asset: nativeAsset, amount, nonce: lastNonce, deadline, ...changes }
}

const later = (hours: number) => {
  now = new Date(START.getTime() + hours * HOUR_MS)
}
const statusOf = async (asked: WithdrawalVoucher) => {
  const outcome = await signer.sign(asked)
  return outcome.status === 'signed' ? 'signed' : `${outcome.status} ${outcome.reason}`
}

test('a signature covers exactly one voucher, vault and chain', async () => {
  const asked = voucher(7n)
  const outcome = await signer.sign(asked)
  if (outcome.status !== 'signed') return expect.unreachable()
  const typed = {
    types: withdrawalTypes,
    primaryType: 'Withdrawal',
    message: asked,
    signature: outcome.signature,
  } as const
  const by = (chainId: number) =>
    recoverTypedDataAddress({ domain: withdrawalDomain({ chainId, vault: VAULT }), ...typed })
  expect(await by(31337)).toBe(account.address)
  expect(await by(56)).not.toBe(account.address)
})

test('a vault with exits needs a signed root that holds the lock', async () => {
  const of = { chainId: 31337, vault: VAULT }
  signer = newSigner({ rootKeys: ROOT_KEYS })
  const root = await signRoot(headerWith({ number: 9n, ledgerSeq: 20n, locked: 7n }), of)
  const withoutRoot = voucher(7n)
  const asked = { ...withoutRoot, root: 9n }
  expect(await signer.sign(asked)).toEqual({ status: 'withheld', reason: 'no_root' })
  expect(await signer.sign(withoutRoot, undefined, { root, entry: 20n })).toEqual({
    status: 'withheld',
    reason: 'another_root',
  })
  const outcome = await signer.sign(asked, undefined, { root, entry: 20n })
  if (outcome.status !== 'signed') return expect.unreachable()
  const typed = { types: rootVoucherTypes, primaryType: 'Withdrawal', signature: outcome.signature } as const
  const by = (message: typeof asked) => recoverTypedDataAddress({ domain: rootVoucherDomain(of), message, ...typed })
  expect(await by(asked)).toBe(account.address)
  expect(await by({ ...asked, root: 8n })).not.toBe(account.address)
})

test('a signer is known by its address in lower case', () => {
  expect(signer.address).toBe(account.address.toLowerCase())
})

test('an asset that is not listed has no room', async () => {
  const other = `0x${'e'.repeat(40)}` as const
  const none = { left: 0n, limitedBy: 'all_accounts', moreAt: undefined }
  expect(await signer.room(other, ANN)).toEqual({ perVoucher: 0n, today: none })
  expect(await signer.dayRoom(other, ANN)).toEqual(none)
})

test('an asset without caps in force has no room for the day', async () => {
  signer = newSigner({ assetsInForce: async () => ASSETS.slice(0, 1) })
  expect(await signer.dayRoom(nativeAsset, ANN)).toMatchObject({ left: 100n })
  expect(await signer.dayRoom(USDT, ANN)).toMatchObject({ left: 0n })
})

test('a cap that was lowered below its use leaves nothing', async () => {
  await signer.sign(voucher(50n))
  const lowered = ASSETS.map((each) => ({ ...each, perAccountPerDay: 40n, perDay: 45n }))
  signer = newSigner({ assetsInForce: async () => lowered })
  expect(await signer.room(nativeAsset, ANN)).toMatchObject({ today: { left: 0n } })
  expect(await statusOf(voucher(1n))).toBe('refused over_day_cap')
})

test('the check before a signature also reads the accepted signer', async () => {
  expect(await signer.check()).toEqual({ stopped: undefined })
  expect([await signer.acceptedSigner(), vaultReads]).toEqual([account.address.toLowerCase(), 1])
  vaultState = { isPaused: true, signer: VAULT }
  expect(await signer.check()).toEqual({ stopped: 'withdrawals_paused' })
  expect([await signer.acceptedSigner(), vaultReads]).toEqual([VAULT, 2])
})

describe('the signer', () => {
  test('signs a voucher at the cap and refuses one unit more', async () => {
    expect(await statusOf(voucher(50n))).toBe('signed')
    // Without a signature.
    expect(await signer.sign(voucher(51n))).toEqual({ status: 'refused', reason: 'over_voucher_cap' })
  })

  test('caps all vouchers of any 24 hours, not of a calendar day', async () => {
    expect(await statusOf(voucher(50n))).toBe('signed')
    later(20)
    expect(await statusOf(voucher(50n))).toBe('signed')
    expect(await statusOf(voucher(1n))).toBe('refused over_day_cap')
    now = new Date(START.getTime() + 24 * HOUR_MS - 1)
    expect(await statusOf(voucher(1n))).toBe('refused over_day_cap')
    later(24)
    expect(await signer.room(nativeAsset, ANN)).toMatchObject({ perVoucher: 50n, today: { left: 50n } })
    expect(await statusOf(voucher(50n))).toBe('signed')
    expect(await statusOf(voucher(1n))).toBe('refused over_day_cap')
  })

  test('keeps its caps across a restart and a clock set back', async () => {
    later(1)
    for (const amount of [50n, 50n]) await signer.sign(voucher(amount))
    signer = newSigner()
    now = START
    expect(await statusOf(voucher(1n))).toBe('refused over_day_cap')
  })

  test('counts caps separately for each asset', async () => {
    for (const amount of [50n, 50n]) await signer.sign(voucher(amount))
    expect(await statusOf(voucher(60n, { asset: USDT }))).toBe('signed')
    expect(await signer.room(USDT, ANN)).toMatchObject({ perVoucher: 60n, today: { left: 0n } })
  })

  test('a refused voucher does not count toward the daily cap', async () => {
    for (let tries = 0; tries < 5; tries++) expect(await statusOf(voucher(51n))).toBe('refused over_voucher_cap')
    expect(await signer.room(nativeAsset, ANN)).toMatchObject({ perVoucher: 50n, today: { left: 100n } })
  })

  test('signs only one of many concurrent vouchers for the remaining cap', async () => {
    const asked = Array.from({ length: 12 }, () => voucher(30n))
    const outcomes = await Promise.all(asked.map((each, index) => (index % 2 ? signer : newSigner()).sign(each)))
    expect(outcomes.filter((each) => each.status === 'signed')).toHaveLength(3)
    const [row] = await db.query<{ sum: bigint }>('select sum(units) as sum from signed_vouchers where refused is null')
    expect(row?.sum).toBe(90n)
  })
})

describe('an expired voucher', () => {
  /** A block after the deadlines of all vouchers so far. */
  function blockPast(): ChainBlock {
    later(1.5)
    chain.moveTo(now)
    return chain.mineEmpty(1)
  }
  const room = async () => {
    const found = await signer.room(nativeAsset, ANN)
    return found.stopped === undefined ? found.today.left : found.stopped
  }

  test('an expired voucher that was not submitted no longer counts', async () => {
    const asked = [voucher(50n), voucher(50n)]
    for (const each of asked) expect(await statusOf(each)).toBe('signed')
    expect(await statusOf(voucher(1n))).toBe('refused over_day_cap')
    await signer.expireVouchers(asked, blockPast())
    expect(await room()).toBe(100n)
    expect(await statusOf(voucher(50n))).toBe('signed')
  })

  test('a voucher expires once across restarts and keeps its signature', async () => {
    const asked = voucher(50n)
    const first = await signer.sign(asked)
    const at = blockPast()
    await Promise.all([signer.expireVouchers([asked, asked], at), newSigner().expireVouchers([asked], at)])
    signer = newSigner()
    expect(await room()).toBe(100n)
    expect(await signer.sign(asked)).toEqual(first)
    expect(await room()).toBe(100n)
    await expect(db.query('delete from expired_vouchers')).rejects.toThrow('append_only')
  })

  test.each<[string, (asked: WithdrawalVoucher) => [WithdrawalVoucher, ChainBlock]]>([
    [
      'was paid in time',
      (asked) => {
        const payment = { account: ANN, asset: 'BNB', units: 50n, nonce: asked.nonce } as const
        chain.mine(simulatedWithdrawal('paid', payment))
        return [asked, blockPast()]
      },
    ],
    ['can still be paid', (asked) => [asked, chain.mineEmpty(1)]],
    [
      'can be paid in the second of its deadline',
      (asked) => {
        chain.moveTo(new Date(Number(asked.deadline) * 1_000))
        return [asked, chain.mineEmpty(1)]
      },
    ],
    ['is reported with a block that the node lacks', (asked) => [asked, { ...blockPast(), number: 99_999n }]],
    [
      'is reported with a time that its block lacks',
      (asked) => [asked, { ...chain.mineEmpty(1), time: new Date(now.getTime() + 10 * HOUR_MS) }],
    ],
    ['is reported with a block that is gone', (asked) => [asked, { ...blockPast(), hash: 'another' }]],
    ['is reported with another deadline than it has', (asked) => [{ ...asked, deadline: 1n }, blockPast()]],
  ])('an expired voucher stays counted where it %s', async (_why, report) => {
    const asked = voucher(50n)
    await signer.sign(asked)
    const [reported, at] = report(asked)
    await signer.expireVouchers([reported], at)
    expect(await room()).toBe(50n)
  })

  test('a voucher of an asset that was listed earlier expires too', async () => {
    const asked = voucher(50n)
    await signer.sign(asked)
    later(1)
    for (let period = 0; period < 4; period++) await voucherStore.sumMinutes(db, dayOf('BNB', now), 1n)
    await newSigner({ assets: ASSETS.slice(1) }).expireVouchers([asked], blockPast())
    expect(await room()).toBe(100n)
  })

  test('a refused voucher frees nothing when it expires', async () => {
    const asked = voucher(51n)
    await signer.sign(asked)
    await signer.expireVouchers([asked, voucher(7n)], blockPast())
    expect(await db.query('select 1 from expired_vouchers')).toEqual([])
  })
})

describe('a nonce', () => {
  test('the same voucher gets the same signature, counted once', async () => {
    const asked = voucher(50n)
    const [first, ...others] = await Promise.all([signer.sign(asked), newSigner().sign(asked), signer.sign(asked)])
    later(30)
    others.push(await newSigner().sign(asked))
    expect(first?.status).toBe('signed')
    for (const other of others) expect(other).toEqual(first)
    expect(await db.query('select units from signed_vouchers')).toEqual([{ units: 50n }])
  })

  test.each<[string, Partial<WithdrawalVoucher>]>([
    ['amount', { amount: 1n }],
    ['account', { account: `0x${'b'.repeat(40)}` }],
    ['asset', { asset: USDT }],
    ['deadline', { deadline: 9_999_999_999n }],
  ])('a signed nonce is never signed again for another %s', async (_what, change) => {
    const asked = voucher(5n)
    await signer.sign(asked)
    for (const hours of [0, 1, 48]) {
      later(hours)
      expect(await statusOf({ ...asked, ...change })).toBe('withheld nonce_of_another_voucher')
    }
    expect(await db.query('select units from signed_vouchers')).toEqual([{ units: 5n }])
  })

  test('two concurrent vouchers with one nonce get one signature', async () => {
    const asked = voucher(5n)
    const both = [signer.sign(asked), newSigner().sign({ ...asked, asset: USDT })]
    const outcomes = (await Promise.all(both)).map((each) => each.status)
    expect(outcomes.toSorted()).toEqual(['signed', 'withheld'])
  })

  test('a refused nonce stays refused after a restart', async () => {
    for (const amount of [50n, 50n]) await signer.sign(voucher(amount))
    const asked = voucher(10n)
    expect(await statusOf(asked)).toBe('refused over_day_cap')
    later(0.5)
    expect(await statusOf(asked)).toBe('refused over_day_cap')
    later(30)
    signer = newSigner()
    expect(await statusOf(asked)).toBe('refused over_day_cap')
    expect(await statusOf({ ...asked, amount: 1n })).toBe('withheld nonce_of_another_voucher')
    expect(await statusOf(voucher(10n))).toBe('signed')
  })
})

describe('a cancelled nonce', () => {
  test('a nonce that was not decided on is never signed', async () => {
    const asked = voucher(5n)
    expect(await signer.cancel(asked)).toEqual({ status: 'refused', reason: 'cancelled' })
    expect(await statusOf(asked)).toBe('refused cancelled')
    expect(await statusOf({ ...asked, amount: 4n })).toBe('refused cancelled')
    expect(await signer.cancel(asked)).toEqual({ status: 'refused', reason: 'cancelled' })
    expect(await db.query('select refused, signed_at from signed_vouchers')).toEqual([
      { refused: 'cancelled', signed_at: START },
    ])
  })

  test('a signed voucher stays signed', async () => {
    const asked = voucher(5n)
    const first = await signer.sign(asked)
    expect(await signer.cancel(asked)).toEqual({ status: 'signed' })
    expect(await signer.sign(asked)).toEqual(first)
  })

  test('a refused voucher keeps its reason', async () => {
    const asked = voucher(51n)
    await signer.sign(asked)
    expect(await signer.cancel(asked)).toEqual({ status: 'refused', reason: 'over_voucher_cap' })
  })
})

describe('a voucher', () => {
  test('a voucher is refused with a deadline of more than a day', async () => {
    const dayAhead = BigInt(START.getTime()) / 1000n + 86_400n
    expect(await statusOf(voucher(5n, { deadline: dayAhead }))).toBe('signed')
    expect(await statusOf(voucher(5n, { deadline: dayAhead + 1n }))).toBe('refused deadline_too_far')
  })

  test.each<[string, Partial<WithdrawalVoucher>, string]>([
    ['nothing', { amount: 0n }, 'refused nothing'],
    ['a deadline that has passed', { deadline: BigInt(START.getTime()) / 1000n }, 'refused deadline_passed'],
  ])('%s', async (_what, changes, expected) => {
    expect(await statusOf(voucher(5n, changes))).toBe(expected)
  })
})

test('an asset that is not listed is recorded by its token', async () => {
  const token = getAddress(`0x${'e'.repeat(40)}`)
  expect(await statusOf(voucher(5n, { asset: token }))).toBe('refused asset_not_listed')
  expect(await db.query('select asset, refused from signed_vouchers')).toEqual([
    { asset: token.toLowerCase(), refused: 'asset_not_listed' },
  ])
})

describe('while withdrawals are stopped', () => {
  test.each<[string, () => void, string]>([
    [
      'the vault is paused',
      () => (vaultState = { isPaused: true, signer: account.address.toLowerCase() }),
      'withdrawals_paused',
    ],
    ['the vault takes another signer', () => (vaultState = { isPaused: false, signer: VAULT }), 'signer_not_accepted'],
    ['something is missing', () => (solvency = { ok: false, reason: 'insolvent' }), 'insolvent'],
  ])('withdrawals stopped because %s neither sign nor return vouchers', async (_why, stop, reason) => {
    const before = voucher(5n)
    const first = await signer.sign(before)
    stop()
    const asked = voucher(5n)
    expect(await statusOf(asked)).toBe(`refused ${reason}`)
    expect(await statusOf(before)).toBe(`withheld ${reason}`)
    expect([await signer.room(nativeAsset, ANN), await signer.check()]).toEqual([
      { stopped: reason },
      { stopped: reason },
    ])
    vaultState = { isPaused: false, signer: account.address.toLowerCase() }
    solvency = { ok: true }
    expect(await statusOf(asked)).toBe(`refused ${reason}`)
    expect(await signer.sign(before)).toEqual(first)
    expect(await statusOf(voucher(5n))).toBe('signed')
  })

  test.each<[string, () => void]>([
    ['the vault cannot be read', () => (vaultState = new Error('connection refused'))],
    ['the solvency is unknown', () => (solvency = new Error('connection refused'))],
  ])('a voucher is withheld for now because %s', async (_why, stop) => {
    stop()
    const asked = voucher(5n)
    const cause = new Error('connection refused')
    await expect(signer.sign(asked)).rejects.toThrow(
      expect.objectContaining({ name: 'NotReady', cause, part: 'chain' }),
    )
    await expect(signer.room(nativeAsset, ANN)).rejects.toThrow(NotReady)
    expect(await db.query('select 1 from signed_vouchers')).toEqual([])
    expect(errors).toEqual(['signer: connection refused', 'signer: connection refused'])
    vaultState = { isPaused: false, signer: account.address.toLowerCase() }
    solvency = { ok: true }
    expect(await statusOf(asked)).toBe('signed')
  })
})

test('a part that is not ready is named as it is', async () => {
  solvency = new NotReady('no header was signed yet', { part: 'headers' })
  await expect(signer.sign(voucher(5n))).rejects.toBe(solvency)
  expect(errors).toEqual([])
})

test('the database rejects changes to a stored decision', async () => {
  await signer.sign(voucher(5n))
  for (const change of [
    'update signed_vouchers set units = 0',
    'delete from signed_vouchers',
    'truncate signed_vouchers',
  ]) {
    await expect(db.query(change)).rejects.toThrow('append_only')
  }
})

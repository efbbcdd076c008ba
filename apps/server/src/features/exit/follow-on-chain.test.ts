import { randomUUID } from 'node:crypto'
import type { Command } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { transfer } from '@clearwell/ledger/transfer'
import { Writer } from '@clearwell/ledger/writer'
import type { Hex } from '@clearwell/proofs/bytes'
import { encodeHeader } from '@clearwell/proofs/header'
import { type Address, parseEther, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueHeader } from '../../domain/proofs/make-headers.ts'
import { PathTrees, readBlocks } from '../../domain/proofs/path-trees.ts'
import { findNewestRoot } from '../../domain/proofs/signed-roots.ts'
import {
  OPERATOR,
  openProofLedger,
  type ProofLedger,
  ROOT_KEY,
  SETTINGS,
  userOf,
} from '../../domain/proofs/testing/proof-ledger.ts'
import type { Custody } from '../../platform/chain/chain.ts'
import { readExitAt, readNewestRoot } from '../../platform/chain/exit-vault.ts'
import { createRpcChain, createRpcClient } from '../../platform/chain/rpc-chain.ts'
import {
  DAY_S,
  EXIT_CHAIN_ID,
  type ExitVaultChain,
  startExitVaultChain,
} from '../../platform/chain/testing/exit-vault-chain.ts'
import { proofAccounts } from '../../platform/custody/proof-places.ts'
import { movementRules } from '../../platform/custody/testing/watcher.ts'
import { createWatcher, type Watcher } from '../../platform/custody/watcher.ts'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { TREASURY, userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { eachAdmission, refuseLeaving } from '../../platform/ledger/leaving-accounts.ts'
import type { Platform } from '../../platform/platform.ts'
import { canaryHandler } from './canary.handlers.ts'
import { watchCanary } from './canary-watch.ts'
import { createExitStore, type ExitStore } from './exit.store.ts'
import { createExitFollower } from './exit-follower.ts'
import { type TipWatch, watchTip } from './watch-tip.ts'

const [alice, bob] = [userOf(0), userOf(1)] as [Address, Address]
const CONFIRMATIONS = 3

let chain: ExitVaultChain
/** Makes the headers and paths that the vault takes. */
let proofs: ProofLedger
let db: Database
let writer: Writer
let watcher: Watcher
let tip: TipWatch
let store: ExitStore
const alarms: unknown[] = []
/** Claims of alice at the vault. */
let claims: { asset: 'BNB' | 'USDT'; units: bigint }[] = []
const ended: string[] = []
const clock = { now: () => new Date('2026-11-28T09:00:00Z') }
beforeAll(async () => {
  ;[chain, db] = await Promise.all([
    startExitVaultChain({ rootKey: ROOT_KEY.address, payout: OPERATOR as Hex }),
    openTestDatabase(MIGRATION_FOLDERS),
  ])
  const { vault, vaultBlock, tokens } = chain
  const domain = { chainId: EXIT_CHAIN_ID, vault }
  proofs = await openProofLedger({ ...SETTINGS, domain, tokens: { ...SETTINGS.tokens, ...tokens } })
  for (const account of [alice, bob]) await chain.give(account, parseEther('100'))
  writer = await Writer.open({
    ...{ db, clock, randomId: () => randomUUID(), holder: 'test', leaseTtlMs: 600_000, exclusive: true },
    admission: eachAdmission(refuseLeaving),
  })
  const custody: Custody = { kind: 'exits', vault, vaultBlock, operator: OPERATOR, tokens: [] }
  const client = createRpcClient(chain.rpcUrl)
  const rpcChain = createRpcChain(client, EXIT_CHAIN_ID, custody)
  store = createExitStore(db)
  watcher = createWatcher({
    ...{ chain: rpcChain, db, writer, rules: movementRules(EXIT_CHAIN_ID), expireDue: async () => {} },
    followers: [createExitFollower({ chain: rpcChain, custody, store, canary: userOf(3) })],
    ...{ confirmations: CONFIRMATIONS, startBlock: vaultBlock, pollMs: 3_600_000 },
    onError: (error) => alarms.push(error),
  })
  tip = watchTip({
    ...{ chain: rpcChain, custody, db, writer, clock, store, isEmpty: async () => false },
    plans: () => ({ endAll: async (id) => ended.push(id) }),
    exitAt: (of) => readExitAt(client, vault, of),
    claimsOf: async ({ account }) => (account === alice ? claims : undefined),
    coverPrices: async () => ({ prices: {}, goodUntil: clock.now() }),
    remind: (message) => alarms.push(message),
  })
  await signUp(alice)
  await signUp(bob)
}, 300_000)
afterAll(async () => {
  await watcher.stop()
  await expectBooksBalanced(db)
  await writer.close()
  await db.close()
  await proofs.close()
  await chain.stop()
})

const signUp = (id: string) =>
  db.query(`insert into users (id, invite_code, nickname, created_at) values ($1, $1, '', $2)`, [id, clock.now()])

/** A command of an account that changes nothing. */
const act = (owner: string): Promise<null> => writer.execute({ ...NOTHING, owner })
const NOTHING: Command<null> = { kind: 'test', owner: '', payload: {}, preload: [], decide: () => ({ response: null }) }
/** Moves BNB in the ledger alone. */
const give = (units: bigint, of: { readonly from: string; readonly to: string }): Promise<null> =>
  writer.execute({
    ...{ ...NOTHING, owner: 'test' },
    decide: () => ({
      entries: [{ kind: 'test', reference: '', postings: transfer({ ...of, asset: 'BNB', units }) }],
      response: null,
    }),
  })
const LEAVING = { refusal: 'account_is_leaving' }

const stateOf = async (id: string) =>
  (await db.query<{ state: string }>('select state from exits where id = $1', [id]))[0]?.state
async function confirm(): Promise<void> {
  await chain.mine(CONFIRMATIONS)
  await watcher.poll()
}

/** Posts a header of the other ledger. @returns the root as callers name it. */
async function post() {
  proofs.clock.at = await chain.time()
  await proofs.run({ what: 'cursor', user: 0, asset: 'BNB', units: 0n })
  const askBookkeeper = async ({ hash }: { hash: Hex }) => ({ signature: await chain.bookkeeper.sign({ hash }) })
  await makeDueHeader({ ...proofs.server(), askBookkeeper }, { force: true })
  const signed = await findNewestRoot(proofs.db)
  if (!signed) throw new Error('no header was signed')
  const header = encodeHeader(signed.header)
  await chain.call(bob, 'postRoot', [header, signed.rootSignature, signed.bookSignature])
  const newest = await readNewestRoot(createRpcClient(chain.rpcUrl), chain.vault)
  const postedAt = Number(newest?.postedAt ?? 0) / 1_000
  return { number: signed.header.number, root: { header, postedAt, seq: newest?.seq } }
}

/** Makes the claim of alice's first BNB under a root. */
async function claimOf(number: bigint, units: bigint) {
  const trees = new PathTrees(SETTINGS.dataSecret)
  for await (const blocks of readBlocks(proofs.db, { after: 0n, to: number })) trees.add(blocks)
  const [account] = await proofAccounts.load(proofs.db, [alice])
  if (!account) throw new Error('alice has no place')
  const [bnb] = trees.pathsAt(number, account.place) ?? []
  const path = bnb?.path.map(({ hash, sum }) => ({ hash: `0x${Buffer.from(hash).toString('hex')}`, sum }))
  const leaf = { salt: account.salt, free: units, depositedSeen: units, paidSeen: 0n }
  return { asset: zeroAddress, index: 0, leaf, place: BigInt(account.place), path }
}

test('a request locks at first sight and a reorganisation unlocks', async () => {
  await confirm()
  await act(bob)
  await chain.call(bob, 'requestExit')
  await tip.look()
  expect(await stateOf(bob)).toBe('requested')
  await expect(act(bob)).rejects.toMatchObject(LEAVING)
  await act(alice)
  expect(ended).toEqual([bob])

  await chain.reorg(1)
  await tip.look()
  expect(await stateOf(bob)).toBe('closed')
  await act(bob)
}, 120_000)

test('a reorganisation that removes a cancel locks again', async () => {
  await chain.call(bob, 'requestExit')
  await confirm()
  expect(await stateOf(bob)).toBe('open')
  await chain.call(bob, 'cancelExit')
  await tip.look()
  expect(await stateOf(bob)).toBe('cancelling')
  await chain.reorg(1)
  await tip.look()
  expect(await stateOf(bob)).toBe('open')
  // The cursor passes the blocks that came instead.
  await confirm()
  await tip.look()
  expect(await stateOf(bob)).toBe('open')
  await expect(act(bob)).rejects.toMatchObject(LEAVING)
}, 120_000)

test('a cancel unlocks when the cursor has passed it', async () => {
  await chain.call(bob, 'cancelExit')
  await tip.look()
  expect(await stateOf(bob)).toBe('cancelling')
  await expect(act(bob)).rejects.toMatchObject(LEAVING)
  await confirm()
  expect(await stateOf(bob)).toBe('closed')
  await act(bob)
}, 120_000)

test('an account that was created after its request is locked', async () => {
  const carol = userOf(2) as Address
  await chain.give(carol, parseEther('1'))
  await chain.call(carol, 'requestExit')
  await confirm()
  expect(await stateOf(carol)).toBeUndefined()
  await signUp(carol)
  await tip.look()
  expect(await stateOf(carol)).toBe('open')
  await expect(act(carol)).rejects.toMatchObject(LEAVING)
}, 120_000)

test('a payment leaves the balance, and an advance covers the rest', async () => {
  await post()
  await chain.depositBnb(alice, parseEther('5'))
  await proofs.run({ what: 'deposit', user: 0, asset: 'BNB', units: parseEther('5') })
  const { number, root } = await post()
  await confirm()
  const posted = await db.query('select number, seq, posted_at, is_void from posted_roots order by seq desc limit 1')
  const postedAt = new Date(root.postedAt * 1_000)
  expect(posted).toEqual([{ number, seq: BigInt(root.seq ?? 0), posted_at: postedAt, is_void: false }])
  const available = () =>
    db.query("select units from balances where account = $1 and asset = 'BNB'", [`user:${alice}:available`])
  expect(await available()).toEqual([{ units: parseEther('5') }])

  // The ledger is ahead of the root: alice has traded 2 BNB away.
  await give(parseEther('2'), { from: userAccount(alice, 'available'), to: TREASURY })
  await chain.call(alice, 'requestExit')
  await tip.look()
  await chain.forward(7 * DAY_S + 60)
  const nothing = { headerHash: zeroHash, postedAt: 0, seq: 0 }
  const proof = { base: [root], next: nothing, unfrozen: [], unfrozenNext: nothing }
  const to = `0x${'77'.repeat(20)}`
  await chain.call(alice, 'finishExit', [proof, await claimOf(number, parseEther('5')), to])
  await confirm()
  expect(await available()).toEqual([{ units: 0n }])
  const payments = () => db.query('select user_id, asset, units, missing, receiver, base from exit_payments')
  const paid = { user_id: alice, asset: 'BNB', units: parseEther('5'), receiver: to, base: BigInt(root.seq ?? 0) }
  expect(await payments()).toEqual([{ ...paid, missing: parseEther('2') }])

  await tip.look()
  expect(await payments()).toEqual([{ ...paid, missing: 0n }])
  expect(await store.advancesOf(alice)).toMatchObject([
    { asset: 'BNB', to_insurance: 0n, to_treasury: parseEther('2') },
  ])
  await tip.look()
  // A later credit gives a half back, and no more of it is left to use.
  await give(parseEther('1'), { from: VAULT, to: userAccount(alice, 'available') })
  await tip.look()
  expect(await store.advancesOf(alice)).toMatchObject([{ to_treasury: parseEther('1') }])
  expect(await available()).toEqual([{ units: 0n }])
  expect(await db.query('select owes from exits where id = $1', [alice])).toEqual([{ owes: true }])
  expect(await chain.client.getBalance({ address: chain.vault })).toBe(0n)
  await expect(act(alice)).rejects.toMatchObject(LEAVING)
  expect(alarms).toEqual([])

  // A new leader makes no header before it knows what open exits still take, and while the books lack it.
  expect(await tip.holdsHeaders()).toBe(false)
  claims = [{ asset: 'USDT', units: 7n }]
  tip.forget()
  expect(await tip.holdsHeaders()).toBe(true)
  await tip.look()
  expect([await tip.holdsHeaders(), alarms.length]).toEqual([true, 1])
  claims = []
  await tip.look()
  expect(await tip.holdsHeaders()).toBe(false)
}, 120_000)

test('the events of the vault list the exits of the canary', async () => {
  const now = await chain.time()
  const list = canaryHandler({
    db,
    clock: { now: () => now },
    config: { exit: { canary: alice.toUpperCase().replace('0X', '0x') } },
  })
  const page = async (payload: { cursor?: string; limit?: number }) => {
    const { items, next_cursor } = await list(payload, undefined as never)
    return {
      next_cursor,
      items: items.map(({ state, paid }) => [state, paid.map(({ asset, amount }) => [asset, amount])]),
    }
  }
  const paid = [['BNB', '5']]
  expect(await page({})).toEqual({ items: [['ready', paid]], next_cursor: null })
  await chain.call(alice, 'cancelExit')
  await confirm()
  expect(await page({})).toEqual({ items: [['paid', paid]], next_cursor: null })

  await chain.call(alice, 'requestExit')
  await chain.call(alice, 'cancelExit')
  await chain.call(alice, 'requestExit')
  await confirm()
  const first = await page({ limit: 2 })
  expect(first.items).toEqual([
    ['waiting', []],
    ['unpaid', []],
  ])
  expect(await page({ limit: 2, cursor: first.next_cursor ?? '' })).toEqual({
    items: [['paid', paid]],
    next_cursor: null,
  })
  // A deep reorganisation removed the newest request.
  const [newest] = await db.query<{ id: string }>(
    "select id from exit_acts where kind = 'request' order by block desc limit 1",
  )
  const voidAct = (isVoid: boolean) => db.query('update exit_acts set is_void = $2 where id = $1', [newest?.id, isVoid])
  await voidAct(true)
  expect((await page({})).items).toEqual([
    ['unpaid', []],
    ['paid', paid],
  ])
  await voidAct(false)
  const stranger = canaryHandler({ db, clock, config: { exit: { canary: `0x${'99'.repeat(20)}` } } })
  expect(await stranger({}, undefined as never)).toEqual({ items: [], next_cursor: null })
}, 120_000)

test('a late canary raises the alarm, also one that never signed in', async () => {
  const canary = userOf(3) as Address
  const asked = (await chain.time()).getTime()
  let nowMs = asked
  const raised: string[] = []
  const collect: (() => void)[] = []
  const late: { readonly value: number }[] = []
  const [job] = watchCanary(
    {
      ...{ db, clock: { now: () => new Date(nowMs) }, writer: { isWriting: true } as Writer },
      metrics: { onCollect: (run: () => void) => collect.push(run) } as unknown as Platform['metrics'],
      onError: (error, task) => raised.push(`${task}: ${(error as Error).message}`),
      config: { exit: { canary } },
    } as Parameters<typeof watchCanary>[0],
    { set: (_: string, values: typeof late) => late.push(...values) } as never,
  )
  const lateAfter = async (seconds: number) => {
    nowMs = asked + seconds * 1_000
    await job?.drain()
    for (const run of collect) run()
    return late.at(-1)?.value
  }
  expect(await lateAfter(2 * DAY_S)).toBe(0)
  expect(await lateAfter(2 * DAY_S + 60)).toBe(60)
  expect(raised).toEqual([expect.stringContaining('canary: the canary should have asked for an exit by')])

  await chain.give(canary, parseEther('1'))
  await chain.call(canary, 'requestExit')
  await confirm()
  expect(await lateAfter(7 * DAY_S)).toBe(0)
  expect(await lateAfter(9 * DAY_S)).toBeGreaterThan(DAY_S - 60)
  expect(raised).toHaveLength(2)
  expect(raised[1]).toContain('and it has not ended')
}, 120_000)

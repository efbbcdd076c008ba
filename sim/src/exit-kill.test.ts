import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyMigratedPglite, newTestPostgres } from '@clearwell/ledger/testing/database'
import { encodeHeader, type Header } from '@clearwell/proofs/header'
import { type Anvil, startAnvil } from '@clearwell/server/src/platform/chain/anvil.ts'
import { controlChain, localConfigFile } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { MIGRATION_FOLDERS, PGLITE_FOLDER } from '@clearwell/server/src/platform/database/open-database.ts'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { erc20Abi, type Hex, parseEther, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Facts } from './exit-kill-child.ts'
import { everyNth } from './kill-choice.ts'
import { startKilledServer } from './killed-server.ts'

const TIMEOUT_MS = 600_000
const CHAIN_ID = 31337
const CONFIRMATIONS = 3
const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
/** Each account has so much when it leaves: 500 less the price of its activation. */
const LEFT = parseEther('490')
const LEAVING = 20016
/** Where to kill: around the commit that books a step. `sent` is on PostgreSQL only. */
const STEP = /^(before commit|sent commit|after commit) of (roots|exits|headers|plans) #/
const SHARE = 3
const isNight = process.env.NIGHTLY === '1'
/** The whole sweep takes minutes. */
const atNight = test.runIf(isNight)
/** In CI only a request, a root and a payment are killed, on the embedded database. */
const always = test.runIf(isNight || process.env.TEST_DATABASE !== 'postgres')
const WAIT = { timeout: 60_000, interval: 100 }

let folder: string
let anvil: Anvil
let control: ReturnType<typeof controlChain>
let environment: NodeJS.ProcessEnv
let server: Server
let token: Hex
const ends: (() => Promise<unknown>)[] = []
/** Accounts whose exit is open, and those that were paid. */
const leavers: User[] = []
const paid = new Set<string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-exit-kill-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  anvil = await startAnvil({ folder: join(folder, 'chain'), port: 0, chainId: CHAIN_ID })
  ends.push(anvil.stop)
  control = controlChain({ rpcUrl: anvil.rpcUrl, chainId: CHAIN_ID })
  const database = process.env.TEST_DATABASE === 'postgres' ? await newTestPostgres(MIGRATION_FOLDERS) : undefined
  if (database) ends.push(database.drop)
  else await copyMigratedPglite(join(folder, 'data', PGLITE_FOLDER), MIGRATION_FOLDERS)
  // The watcher runs only when a test calls it, so that the steps of different exits do not mix.
  const file = await localConfigFile((config) => {
    config.chain.pollMs = 3_600_000
    config.chain.confirmations = CONFIRMATIONS
    config.swap.breaker.checkMs = 3_600_000
    // A session outlives the seven days of an exit.
    config.session.idleTtlMs = 30 * DAY_S * 1_000
  })
  ends.push(file.remove)
  environment = {
    ...process.env,
    ...{ PROFILE: 'local', PORT: '0', METRICS_PORT: 'off', ARBITRAGE: 'off', VAULT_KIND: 'exits', PROOFS: 'on' },
    ...{ DATA_DIR: join(folder, 'data'), CHAIN_RPC_URL: anvil.rpcUrl, CONFIG_FILE: file.path },
    ...(database ? { DATABASE_URL: database.url } : {}),
  }
  server = await startServer()
  ends.push(() => server.end())
  const config = await call<{ assets: { asset: string; address: Hex | null }[] }>('/config', {}, {}, 'GET')
  token = config.assets.find(({ asset }) => asset === 'USDT')?.address ?? '0x'
  // Stays, so that the plans are seen to be due.
  await newUser()
}, 120_000)
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

always(
  'a request seen during a kill locks and ends plans',
  async () => {
    const request = async (user: User) => {
      await user.callVault('requestExit')
      await expect.poll(async () => planOf(await server.facts(), user), WAIT).toBe('ended')
    }
    for (const [killAt, user] of await sweep(request)) {
      await killedDuring(killAt, () => user.callVault('requestExit'))
      await expect.poll(async () => planOf(await server.facts(), user), WAIT).toBe('ended')
      expect([stateOf(await server.facts(), user), await user.tryToSell()], killAt).toEqual(['requested', LEAVING])
    }
  },
  TIMEOUT_MS,
)

always(
  'a request that a reorganisation removes during a kill unlocks',
  async () => {
    const user = await newUser()
    await killedDuring(
      'after commit of exits #1',
      () => user.callVault('requestExit'),
      () => control.reorg(1),
    )
    await expect.poll(async () => stateOf(await server.facts(), user), WAIT).toBe('closed')
    expect(await user.tryToSell()).not.toBe(LEAVING)
    await expectExact()
    expect((await server.facts()).acts.filter(({ user_id }) => user_id === user.id)).toEqual([])
    await user.callVault('requestExit')
    await expect.poll(async () => stateOf(await server.facts(), user), WAIT).toBe('requested')
    leavers.push(user)
  },
  TIMEOUT_MS,
)

atNight(
  'a request that the cursor passes during a kill is booked once',
  async () => {
    const request = async (user: User) => {
      await user.callVault('requestExit')
      await expect.poll(async () => planOf(await server.facts(), user), WAIT).toBe('ended')
      await control.mine(CONFIRMATIONS)
    }
    for (const [killAt, user] of await sweep(() => advance(1), request)) {
      await request(user)
      await killedDuring(killAt, () => advance(1))
      await advance(1)
      const { acts, exits } = await server.facts()
      expect(exits.find(({ id }) => id === user.id)?.state, killAt).toBe('open')
      expect(acts.filter(({ user_id }) => user_id === user.id)).toEqual([{ user_id: user.id, kind: 'request' }])
      expect(await user.tryToSell()).toBe(LEAVING)
    }
    await expectExact()
  },
  TIMEOUT_MS,
)

atNight(
  'a header made during a kill is one link of one chain',
  async () => {
    const header = () => madeAfter(() => newUser())
    await server.arm(undefined)
    await header()
    const positions = (await server.facts()).passed.filter((at) => STEP.test(at) && at.includes('headers'))
    expect(positions.length).toBeGreaterThan(1)
    for (const killAt of everyNth(positions, SHARE)) {
      const before = (await server.facts()).headers.length
      const user = await newUser()
      await user.callVault('requestExit')
      await control.mine(CONFIRMATIONS)
      await killedDuring(killAt, () => untilKilled(() => advance(11)))
      await madeAfter(() => advance(11), before)
      leavers.push(user)
      await expectExact()
    }
  },
  TIMEOUT_MS,
)

atNight(
  'a cancel seen during a kill keeps its account locked',
  async () => {
    const cancelled = async (user: User) =>
      expect.poll(async () => stateOf(await server.facts(), user), WAIT).toBe('cancelling')
    const probe = await newLeaver()
    const positions = await steps(async () => {
      await probe.callVault('cancelExit')
      await cancelled(probe)
    })
    for (const killAt of positions) {
      const user = await newLeaver()
      await killedDuring(killAt, () => user.callVault('cancelExit'))
      await cancelled(user)
      expect([await user.tryToSell(), await actsOf(user)], killAt).toEqual([LEAVING, ['request']])
      await control.mine(CONFIRMATIONS)
      await advance(1)
      expect([stateOf(await server.facts(), user), await actsOf(user)], killAt).toEqual([
        'closed',
        ['request', 'cancel'],
      ])
      expect(await user.tryToSell()).not.toBe(LEAVING)
    }
    const user = await newLeaver()
    await killedDuring(
      'after commit of exits #1',
      () => user.callVault('cancelExit'),
      () => control.reorg(1),
    )
    await expect.poll(async () => stateOf(await server.facts(), user), WAIT).toBe('open')
    expect(await user.tryToSell()).toBe(LEAVING)
    await expectExact()
  },
  TIMEOUT_MS,
)

always(
  'a root booked during a kill counts once',
  async () => {
    const post = async () => {
      // Where only the cursor moves, a header is due every ten minutes.
      await advance(600)
      await postNewest()
      await control.mine(CONFIRMATIONS)
    }
    const find = async () => {
      await post()
      return (await steps(() => advance(1))).filter((at) => at.includes('roots'))
    }
    for (const killAt of isNight ? await find() : ['after commit of roots #1']) {
      const before = (await server.facts()).roots
      await post()
      await killedDuring(killAt, () => advance(1))
      await advance(1)
      const { roots, posted, counted_root } = await server.facts()
      const [newest, ...older] = roots.toReversed()
      expect(older.toReversed(), killAt).toEqual(before)
      expect([newest?.is_void, counted_root]).toEqual([false, newest?.seq])
      expect(posted).toContain(`${newest?.number}`)
    }
    await expectExact()
  },
  TIMEOUT_MS,
)

always(
  'a payment booked during a kill is booked once to the unit',
  async () => {
    await control.mine(CONFIRMATIONS)
    await advance(1)
    await postNewest()
    await control.mine(CONFIRMATIONS)
    await advance(7 * DAY_S + 60)
    await expectNoRuns()
    const pay = async (user: User) => {
      await user.finish()
      await control.mine(CONFIRMATIONS)
    }
    // A payment that the chain loses before it is confirmed is booked nowhere, and the vault pays it again.
    const [lost, probe, ...others] = leavers
    if (!lost || !probe) throw new Error('no account leaves')
    const snapshot = await control.snapshot()
    await lost.finish()
    await advance(1)
    await server.end()
    await control.revert(snapshot)
    server = await startServer()
    await advance(1)
    expect((await server.facts()).payments).toEqual([])
    await pay(lost)
    await advance(1)
    await expectPaid(lost)

    await pay(probe)
    const positions = await steps(() => advance(1))
    await expectPaid(probe)
    for (const [index, killAt] of everyNth(positions, SHARE).entries()) {
      const user = others[index]
      if (!user) throw new Error('too few accounts leave')
      await pay(user)
      await killedDuring(killAt, () => advance(1))
      await advance(1)
      await expectPaid(user)
    }
  },
  TIMEOUT_MS,
)

atNight(
  'a cancel booked during a kill opens its account once',
  async () => {
    const cancel = async (user: User) => {
      await user.callVault('cancelExit')
      await expect.poll(async () => stateOf(await server.facts(), user), WAIT).toBe('cancelling')
      await control.mine(CONFIRMATIONS)
    }
    const [probe, ...others] = leavers.filter(({ id }) => paid.has(id))
    if (!probe) throw new Error('no account was paid')
    await cancel(probe)
    const positions = await steps(() => advance(1))
    for (const [index, killAt] of everyNth(positions, SHARE).entries()) {
      const user = others[index]
      if (!user) throw new Error('too few accounts were paid')
      await cancel(user)
      await killedDuring(killAt, () => advance(1))
      await advance(1)
      const { exits, acts } = await server.facts()
      expect(exits.find(({ id }) => id === user.id)?.state, killAt).toBe('closed')
      expect(acts.filter(({ user_id, kind }) => user_id === user.id && kind === 'cancel')).toHaveLength(1)
      expect(await user.tryToSell()).not.toBe(LEAVING)
    }
    await expectExact()
    await expectNoRuns()
  },
  TIMEOUT_MS,
)

atNight(
  'an advance given during a kill is given once',
  async () => {
    const post = async () => {
      await control.mine(CONFIRMATIONS)
      await advance(1)
      await postNewest()
      await control.mine(CONFIRMATIONS)
      await advance(1)
    }
    await post()
    const debtors: User[] = []
    for (let count = 0; count < 5; count++) debtors.push(await newUser())
    await post()
    // No root knows of these sales, so the vault pays the old balances. The exits are fixed one after another.
    for (const debtor of debtors) await debtor.swap('10')
    // The watcher reads the blocks of the new time with the next advance.
    const pass = async (seconds: number) => {
      await advance(seconds)
      await control.mine(CONFIRMATIONS)
    }
    for (const debtor of debtors) {
      await debtor.callVault('requestExit')
      await pass(HOUR_S)
    }
    await pass(6 * DAY_S - 7.5 * HOUR_S)
    await advance(1)
    const given = async ({ id }: User) =>
      (await server.facts()).booked.filter(({ kind, reference }) => kind === 'exit_advance' && reference === id).length
    const [probe, ...others] = debtors
    if (!probe) throw new Error('no account owes')
    expect(await given(probe)).toBe(0)
    await pass(HOUR_S)
    const positions = await steps(() => advance(1))
    expect(await given(probe)).toBe(1)
    for (const [index, killAt] of everyNth(positions, SHARE).entries()) {
      const debtor = others[index]
      if (!debtor) throw new Error('too few accounts owe')
      await pass(HOUR_S)
      expect(await given(debtor)).toBe(0)
      await killedDuring(killAt, () => advance(1))
      await advance(1)
      expect([await given(debtor), await debtor.available()], killAt).toEqual([1, '490'])
      const { advances } = await server.facts()
      expect(advances.filter(({ user_id }) => user_id === debtor.id)).toHaveLength(1)
    }
    await expectExact()
  },
  TIMEOUT_MS,
)

/** A new account whose request the cursor has passed. */
async function newLeaver(): Promise<User> {
  const user = await newUser()
  await user.callVault('requestExit')
  await expect.poll(async () => planOf(await server.facts(), user), WAIT).toBe('ended')
  await control.mine(CONFIRMATIONS)
  await advance(1)
  expect(stateOf(await server.facts(), user)).toBe('open')
  return user
}

/** Runs a step once in a server that is not killed. @returns its positions, each with a new account that then leaves. */
async function sweep(
  work: (user: User) => Promise<unknown>,
  prepare: (user: User) => Promise<unknown> = async () => {},
): Promise<[string, User][]> {
  const probe = await newUser(leavers)
  await prepare(probe)
  const positions = await steps(() => work(probe))
  const pairs: [string, User][] = []
  for (const killAt of everyNth(positions, SHARE)) pairs.push([killAt, await newUser(leavers)])
  return pairs
}

async function steps(work: () => Promise<unknown>): Promise<string[]> {
  await server.arm(undefined)
  await work()
  const found = (await server.facts()).passed.filter((at) => STEP.test(at) && !at.includes('headers'))
  expect(found.length).toBeGreaterThan(1)
  return found
}

/** Has the server killed at a step of `work`, and starts it again. */
async function killedDuring(
  killAt: string,
  work: () => Promise<unknown>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<void> {
  await server.arm(killAt)
  await work().catch((error: unknown) => {
    // Only a connection that broke: a refusal would be a fault of the server.
    if (!(error instanceof TypeError)) throw error
  })
  expect(await server.killed).toBe(killAt)
  await meanwhile()
  server = await startServer()
}

/** Repeats until the connection breaks: the header's job runs at its own time. */
async function untilKilled(work: () => Promise<unknown>): Promise<void> {
  for (;;) await work()
}

/** Waits for a header after a change, made by the server's own job. */
async function madeAfter(work: () => Promise<unknown>, before?: number): Promise<void> {
  const from = before ?? (await server.facts()).headers.length
  await work()
  await expect
    .poll(async () => {
      await advance(11)
      return (await server.facts()).headers.length
    }, WAIT)
    .toBeGreaterThan(from)
}

/** Balanced books, the vault's exact holdings, and one chain of headers without a gap. */
async function expectExact(): Promise<void> {
  const { faults, owed, headers } = await server.facts()
  expect(faults).toEqual([])
  const held = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [server.vault] } as const
  expect(await control.client.readContract(held)).toBe(owed.USDT)
  expect(new Set(headers.map(({ number }) => number)).size).toBe(headers.length)
  const links = headers.slice(1).map(({ previous }) => previous)
  expect(links).toEqual(headers.slice(0, -1).map(({ hash }) => hash))
}

async function expectPaid(user: User): Promise<void> {
  paid.add(user.id)
  const { payments, counted, booked, exits } = await server.facts()
  expect(payments.filter(({ user_id }) => user_id === user.id)).toEqual([
    { user_id: user.id, asset: 'USDT', units: LEFT, missing: 0n },
  ])
  expect(counted.filter(({ account }) => account === user.id)).toEqual([{ account: user.id, units: LEFT }])
  expect(booked.filter(({ kind }) => kind !== 'exit')).toEqual([])
  expect(booked).toHaveLength(paid.size)
  expect(exits.find(({ id }) => id === user.id)?.state).toBe('open')
  expect([await user.tryToSell(), await user.available()]).toEqual([LEAVING, '0'])
  await expectExact()
}

const stateOf = ({ exits }: Facts, { id }: User) => exits.find((each) => each.id === id)?.state
const actsOf = async ({ id }: User) =>
  (await server.facts()).acts.flatMap(({ user_id, kind }) => (user_id === id ? [kind] : []))
const planOf = ({ plans }: Facts, { id }: User) => plans.find(({ user_id }) => user_id === id)?.status

/** Accounts that stay have runs in these days, so the plans were due. */
async function expectNoRuns(): Promise<void> {
  const { runs } = await server.facts()
  const left = new Set(leavers.map(({ id }) => id))
  expect(runs.length).toBeGreaterThan(0)
  expect(runs.filter((id) => left.has(id))).toEqual([])
}

/** Posts the newest header that both keys have signed and that knows every account. */
async function postNewest(): Promise<void> {
  const { headers } = await server.facts()
  await madeAfter(() => advance(11), headers.length)
  const newest = () =>
    call<{ header: object; signatures: { root: Hex | null; bookkeeper: Hex | null } }>('/proof/header', {})
  await expect.poll(async () => (await newest()).signatures.bookkeeper, WAIT).toBeTruthy()
  const { header, signatures } = await newest()
  const fields = JSON.parse(JSON.stringify(header), (_, value) =>
    typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value,
  ) as Header
  await leavers[0]?.callVault('postRoot', [encodeHeader(fields), signatures.root, signatures.bookkeeper])
}

interface User {
  /** The address in lower case. */
  readonly id: string
  callVault(functionName: string, args?: readonly unknown[]): Promise<void>
  /** Tries a command that moves money. @returns the code of the reply */
  tryToSell(): Promise<number>
  /** Sells so many USDT for BNB. */
  swap(amount: string): Promise<void>
  available(): Promise<string | undefined>
  /** Has the vault pay what the server says that it owes. */
  finish(): Promise<void>
}

/** An activated account with 490 USDT and a daily planned swap. @param list gets it. */
async function newUser(list?: User[]): Promise<User> {
  const account = privateKeyToAccount(generatePrivateKey())
  const { address } = account
  await call('/Local/faucet', { address })
  const { nonceStr } = await call<{ nonceStr: string }>('/DappUser/getNonce', { address })
  const signature = await account.signMessage({ message: nonceStr })
  const session = await call<{ token: string }>('/DappUser/login', { address, signature, device_type: 'web' })
  const of = { token: session.token }
  const wallet = control.wallet(account)
  const send = async (hash: Hex) => expect((await control.receipt(hash)).status).toBe('success')
  const buy = { asset: 'USDT', amount: '500' }
  const order = await call<{ to: Hex; calldata: Hex }>('/Wallet/buy', buy, of)
  const approve = { address: token, abi: erc20Abi, functionName: 'approve', args: [order.to, parseEther('500')] }
  await send(await wallet.writeContract({ ...approve, account, chain: wallet.chain } as never))
  await send(await wallet.sendTransaction({ to: order.to, data: order.calldata, value: 0n } as never))
  await control.mine(CONFIRMATIONS)
  await advance(1)
  await call('/SwapPool/activeByBalance', {}, of)
  const hour = String((new Date().getUTCHours() + 20) % 24)
  const plan = { pool_id: 'bnb-usdt', inverse: '1', amount: '10', kind: 'schedule', every: 'day', hour }
  await call('/Plan/create', plan, { ...of, key: randomUUID() })
  const callVault = async (functionName: string, args: readonly unknown[] = []) => {
    const of = { address: server.vault, abi: exitVaultAbi, functionName, args, account, chain: wallet.chain }
    await send(await wallet.writeContract(of as never))
  }
  const user: User = {
    id: address.toLowerCase(),
    callVault,
    async tryToSell() {
      const sell = { asset: 'USDT', amount: '1000000' }
      return (await reply('/Wallet/sell', sell, { ...of, key: randomUUID() })).code
    },
    async swap(amount) {
      const { time } = await call<{ time: string }>('/config', {}, {}, 'GET')
      const deadline = new Date(Date.parse(time) + 600_000).toISOString()
      const sold = { pool_id: 'bnb-usdt', inverse: '1', amount, min_amount_out: '0', deadline }
      await call('/SwapPool/doSwap', sold, { ...of, key: randomUUID() })
    },
    async available() {
      const balances = await call<{ asset: string; available: string }[]>('/Wallet/balances', {}, of)
      return balances.find(({ asset }) => asset === 'USDT')?.available
    },
    async finish() {
      const { roots, next, claims } = await call<Claims>('/proof/exit/claims', {}, of)
      const none = { headerHash: zeroHash, postedAt: 0, seq: 0 }
      const base = roots.map(({ header, posted_at, seq }) => ({ header, postedAt: posted_at, seq }))
      const later = { headerHash: next.header_hash, postedAt: next.posted_at, seq: next.seq }
      const proof = { base, next: later, unfrozen: [], unfrozenNext: none }
      for (const { token: asset, index, leaf, place, path } of claims) {
        const { salt, free, deposited_seen, paid_seen } = leaf
        const seen = { salt, free: BigInt(free), depositedSeen: BigInt(deposited_seen), paidSeen: BigInt(paid_seen) }
        const steps = path.map(({ hash, sum }) => ({ hash, sum: BigInt(sum) }))
        await callVault('finishExit', [proof, { asset, index, leaf: seen, place: BigInt(place), path: steps }, address])
      }
      expect(claims.map(({ asset }) => asset)).toEqual(['USDT'])
    },
  }
  list?.push(user)
  return user
}

interface Claims {
  readonly roots: { header: Hex; posted_at: number; seq: number }[]
  readonly next: { header_hash: Hex; posted_at: number; seq: number }
  readonly claims: {
    asset: string
    token: Hex
    index: number
    leaf: { salt: Hex; free: string; deposited_seen: string; paid_seen: string }
    place: number
    path: { hash: Hex; sum: string }[]
  }[]
}

/** Moves the server's clock and the chain's forward, and runs what falls due, the watcher among it. */
const advance = (seconds: number) => call('/Local/advance', { seconds: String(seconds) })

interface As {
  readonly token?: string
  readonly key?: string
}

async function call<Data>(path: string, payload: Record<string, string>, as: As = {}, method = 'POST'): Promise<Data> {
  const { code, msg, data } = await reply(path, payload, as, method)
  if (code !== 1) throw new Error(`${path} answered ${code} ${msg} ${JSON.stringify(data)}`)
  return data as Data
}

async function reply(path: string, payload: Record<string, string>, { token: session, key }: As, method = 'POST') {
  const response = await fetch(`${server.url}/api${path}`, {
    method,
    headers: { ...(session ? { 'xx-token': session } : {}), ...(key ? { 'idempotency-key': key } : {}) },
    ...(method === 'POST' ? { body: new URLSearchParams(payload) } : {}),
  })
  return (await response.json()) as { code: number; msg: string; data: unknown }
}

type Server = Awaited<ReturnType<typeof startServer>>

function startServer() {
  return startKilledServer<Facts>('exit-kill', environment)
}

import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlChain, localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { endExact, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { testSummary } from './testing/test-summary.ts'
import { testTransactions } from './testing/test-transactions.ts'

const CONFIRMATIONS = 3
const EXPLORER = 'https://explorer.example'

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let control: ReturnType<typeof controlChain>
/** With entries of each kind. */
let user: TestUser
/** Without any. */
let payer: TestUser
let from: string

beforeAll(async () => {
  file = await localConfigFile((config) => {
    Object.assign(config.chain, { pollMs: 3_600_000, confirmations: CONFIRMATIONS, explorerUrl: `${EXPLORER}/` })
  })
  server = await startTestServer({ CONFIG_FILE: file.path })
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
  user = await server.newUser()
  payer = await server.newUser()
  for (const amount of ['20', '30', '40']) await user.transferIn('USDT', amount)
  await user.transferIn('BNB', '2')
  await user.activateByBalance()
  from = (await server.ok('localAdvance', { seconds: 60 })).time
  const deadline = new Date(new Date(from).getTime() + 600_000).toISOString()
  const order = { pool_id: 'bnb-usdt', amount: '1', inverse: 0, min_amount_out: '0', deadline } as const
  await server.ok('doSwap', order, { token: user.token })
})
afterAll(() => endExact(server, { first: () => control.mine(CONFIRMATIONS), file }))

const logs = (filter: Parameters<typeof server.ok<'logs'>>[1]) => server.ok('logs', filter, { token: user.token })

/** Downloads the file as a client does. */
const csv = (query: string, headers: Record<string, string> = { 'xx-token': user.token }) =>
  server.app.inject({
    method: 'GET',
    url: `/api/Wallet/logs.csv${query}`,
    headers: { 'accept-language': 'en', ...headers },
  })

/** Splits a file without quoted cells. */
const cellsOf = (body: string) =>
  body
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))

describe('logs', () => {
  test('list every entry, newest first, with matching balances', async () => {
    const { items, next_cursor } = await logs({ limit: 100 })
    expect(next_cursor).toBeNull()
    expect(items.map(({ kind, asset, amount }) => `${kind} ${amount} ${asset}`).slice(2)).toEqual([
      'activation -10 USDT',
      'deposit 2 BNB',
      'deposit 40 USDT',
      'deposit 30 USDT',
      'deposit 20 USDT',
    ])
    expect(items.slice(0, 2).map(({ kind, asset }) => `${kind} ${asset}`)).toEqual(['swap USDT', 'swap BNB'])
    expect(new Set(items.map((item) => item.place))).toEqual(new Set(['available']))
  })

  test("amounts add up to the ledger's balances to the unit", async () => {
    const sums = new Map<string, bigint>()
    for (const { place, asset, amount, balance_after } of (await logs({ limit: 100 })).items.toReversed()) {
      const key = `user:${user.id}:${place} ${asset}`
      const sum = (sums.get(key) ?? 0n) + parseEther(amount)
      sums.set(key, sum)
      expect(parseEther(balance_after)).toBe(sum)
    }
    const balances = await server.db.query<{ account: string; asset: string; units: bigint }>(
      'select account, asset, units from balances where account like $1',
      [`user:${user.id}:%`],
    )
    expect(balances.length).toBeGreaterThan(1)
    expect(sums).toEqual(new Map(balances.map(({ account, asset, units }) => [`${account} ${asset}`, units])))
  })

  test('pages of two add up to the whole list', async () => {
    const whole = (await logs({ limit: 100 })).items
    const paged: typeof whole = []
    let cursor: string | null | undefined
    let pages = 0
    do {
      const page = await logs({ limit: 2, ...(cursor ? { cursor } : {}) })
      paged.push(...page.items)
      cursor = page.next_cursor
      pages++
    } while (cursor)
    expect(paged).toEqual(whole)
    expect(pages).toBe(4)
  })

  test('a page that ends at the last entry has no cursor', async () => {
    expect((await logs({ limit: 7 })).next_cursor).toBeNull()
    expect((await logs({ limit: 6 })).next_cursor).not.toBeNull()
  })

  test('filter by asset, kind and time', async () => {
    const whole = (await logs({ limit: 100 })).items
    expect((await logs({ asset: 'BNB' })).items).toEqual(whole.filter((item) => item.asset === 'BNB'))
    expect((await logs({ kind: 'deposit' })).items).toEqual(whole.filter((item) => item.kind === 'deposit'))
    expect((await logs({ kind: 'deposit', asset: 'USDT' })).items).toHaveLength(3)
    expect((await logs({ kind: 'swap' })).items).toEqual(whole.filter((item) => item.kind === 'swap'))
    expect((await logs({ from })).items.map((item) => item.kind)).toEqual(['swap', 'swap'])
    expect((await logs({ to: from })).items).toHaveLength(5)
    const [swap] = whole
    expect((await logs({ from: swap?.created_at ?? '', to: swap?.created_at ?? '' })).items).toEqual([])
    expect((await logs({ from: '2999-01-01' })).items).toEqual([])
    expect((await logs({ to: '1970-01-02' })).items).toEqual([])
    expect((await logs({ kind: 'referral_share' })).items).toEqual([])
  })

  test('filter by several kinds', async () => {
    const whole = (await logs({ limit: 100 })).items
    const kinds = ['deposit', 'activation'] as const
    const ofKinds = whole.filter(({ kind }) => kind === 'deposit' || kind === 'activation')
    expect((await logs({ kinds: [...kinds] })).items).toEqual(ofKinds)
    expect((await logs({ kinds: [...kinds], kind: 'activation' })).items).toHaveLength(1)
    expect((await logs({ kinds: [...kinds], kind: 'swap' })).items).toEqual([])
    expect((await logs({ kinds: [...kinds, 'swap'], limit: 100 })).items).toEqual(whole)
    const query = kinds.map((kind) => `kinds[]=${encodeURIComponent(JSON.stringify(kind))}`).join('&')
    expect(cellsOf((await csv(`?${query}`)).body).slice(1)).toHaveLength(ofKinds.length)
  })

  test('find the digits of an amount, with all postings of its entries', async () => {
    const whole = (await logs({ limit: 100 })).items
    expect((await logs({ search: '30' })).items).toEqual(whole.filter(({ amount }) => amount === '30'))
    const swap = whole.filter(({ kind }) => kind === 'swap')
    expect((await logs({ search: '1.0' })).items).toEqual(swap)
    // The list shows fewer decimals of what the swap gave than the ledger has.
    const got = swap.find(({ asset }) => asset === 'USDT')?.amount ?? ''
    const shown = got.slice(0, got.indexOf('.') + 3)
    expect(got.length).toBeGreaterThan(shown.length)
    expect((await logs({ search: shown })).items).toEqual(swap)
    expect((await logs({ search: got })).items).toEqual(swap)
    expect((await logs({ search: `${shown}${'0'.repeat(9)}` })).items).toEqual([])
    expect((await logs({ search: '3' })).items).toEqual([])
    expect(cellsOf((await csv('?search=1')).body).slice(1)).toHaveLength(2)
  })

  test('find a transaction by the beginning of its hash', async () => {
    const [paid] = (await logs({ search: '40' })).items
    const hash = paid?.reference ?? ''
    expect(hash).toMatch(/^0x/)
    expect((await logs({ search: hash.slice(0, 12).toUpperCase().replace('0X', '0x') })).items).toEqual([paid])
    expect((await logs({ search: hash, kinds: ['activation'] })).items).toEqual([])
    expect((await server.ok('logs', { search: hash }, { token: payer.token })).items).toEqual([])
  })

  test('reject a search for other text', async () => {
    for (const search of ['0x12', 'swap', '1,000', '-1', '0xzzzz'])
      expect(await server.call('logs', { search }, { token: user.token })).toMatchObject({
        code: 20000,
        data: { fields: { search: 'not a hash or an amount' } },
      })
  })

  test('reject an unknown kind with a reason', async () => {
    const kind = 'zzz' as 'swap'
    expect(await server.call('logs', { kind }, { token: user.token })).toMatchObject({
      status: 400,
      code: 20000,
      data: { fields: { kind: 'not a kind of entry' } },
    })
    expect((await csv('?kind=zzz')).json()).toMatchObject({ code: 20000 })
  })

  test('reject a cursor of another list and an invalid one', async () => {
    for (const cursor of ['12', 'MTc2MzcxNjgwMDAwMDphYmM', '1-2-3', '-1-0']) {
      const reply = await server.call('logs', { cursor }, { token: user.token })
      expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { cursor: expect.any(String) } } })
    }
  })

  test('users see only their own entries', async () => {
    const other = await server.newUser({ faucet: false })
    expect((await server.ok('logs', {}, { token: other.token })).items).toEqual([])
    expect(cellsOf((await csv('', { 'xx-token': other.token })).body)).toHaveLength(1)
  })
})

describe('the file of the logs', () => {
  test('the log file is an uncached CSV named by product and day', async () => {
    const reply = await csv('')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="clearwell-log-${from.slice(0, 10)}.csv"`,
    })
    expect(reply.body.endsWith('\r\n')).toBe(true)
    expect(reply.body.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  test('the log file has the entries of the list, oldest first', async () => {
    const [head, ...rows] = cellsOf((await csv('')).body)
    expect(head).toEqual(['time', 'entry', 'kind', 'asset', 'amount', 'balance_after', 'place', 'reference'])
    const { items } = await logs({ limit: 100 })
    expect(rows).toEqual(
      items
        .toReversed()
        .map((item) => [
          item.created_at,
          item.id.split('-')[0],
          item.kind,
          item.asset,
          item.amount,
          item.balance_after,
          item.place,
          item.reference,
        ]),
    )
  })

  test('supports the filters of the list', async () => {
    expect(cellsOf((await csv('?asset=BNB&kind=deposit')).body).slice(1)).toHaveLength(1)
    expect(cellsOf((await csv(`?from=${from}`)).body).slice(1)).toHaveLength(2)
    expect(cellsOf((await csv(`?to=${from}`)).body).slice(1)).toHaveLength(5)
    expect(cellsOf((await csv('?to=1970-01-02')).body).slice(1)).toEqual([])
  })

  test('returns an error envelope instead of a file for invalid filters', async () => {
    const refused = [await csv('', {}), await csv('?asset=DOGE'), await csv('?from=yesterday')]
    expect(refused.map((reply) => [reply.statusCode, reply.json().code])).toEqual([
      [200, 10001],
      [400, 20000],
      [400, 20000],
    ])
    for (const { headers } of refused) {
      expect(headers['content-type']).toMatch(/json/)
      expect(headers['content-disposition']).toBeUndefined()
    }
  })

  test('rejects HEAD', async () => {
    const headers = { 'xx-token': user.token }
    expect((await server.app.inject({ method: 'HEAD', url: '/api/Wallet/logs.csv', headers })).statusCode).toBe(404)
  })
})

describe('transactions', () =>
  testTransactions(() => ({ server, control, payer, confirmations: CONFIRMATIONS, explorer: EXPLORER })))

describe('the summary', () => testSummary(() => server))

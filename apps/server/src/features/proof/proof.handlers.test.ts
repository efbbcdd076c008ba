import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chainProofData, NO_PROOF_DATA } from '@clearwell/proofs/proof-data'
import { verifyProof } from '@clearwell/verify/verify-proof'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { randomFrom } from '../../testing/random-from.ts'
import { endExact, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { newTrader } from '../../testing/traders.ts'

/** The address of the local profile's known key. */
const ROOT = privateKeyToAddress(`0x${hash('sha256', 'clearwell local proof root')}`)
const COMMAND = join(import.meta.dirname, '../../../../../packages/verify/bin/clearwell-verify.mjs')
const ALTERED = 200

let server: TestServer
let user: TestUser
let other: TestUser
let file: string
beforeAll(async () => {
  server = await startTestServer({ PROOFS: 'on' })
  // A first header that is made meanwhile could be recorded in the next hour, without the transfers.
  await vi.waitUntil(async () => (await server.call('proofHeader', {})).code === 1, { timeout: 60_000 })
  user = await server.newUser()
  other = await server.newUser()
  await user.transferIn('USDT', '25')
  await other.transferIn('BNB', '2')
  await user.transferIn('USDT', '15')
  await nextHour()
  file = await download('export.jsonl', user)
}, 120_000)
afterAll(() => endExact(server))

/**
 * Moves to the middle of the next hour, and waits for its header, the first that paths are given out for. It contains all entries
 * of now.
 */
async function nextHour(): Promise<string> {
  const before = await server.call('proofHeader', {})
  const { time } = await server.ok('config', {})
  const passed = Math.floor(Date.parse(time) / 1_000) % 3_600
  await server.ok('localAdvance', { seconds: 5_400 - passed })
  return vi.waitUntil(
    async () => {
      const { code, data } = await server.call('proofMine', {}, { token: user.token })
      return code === 1 && Number(data.number) > Number(before.data?.number ?? 0) && data.number
    },
    { timeout: 60_000, interval: 500 },
  )
}

async function download(name: string, of?: TestUser): Promise<string> {
  const headers = of ? { 'xx-token': of.token } : {}
  const response = await server.app.inject({ method: 'GET', url: `/api/proof/${name}`, headers })
  expect(response.statusCode).toBe(200)
  return response.body
}

const linesOf = (text: string) => text.split('\n').slice(0, -1)
const check = (text: string) => verifyProof(linesOf(text), { rootKey: ROOT })

test('an export of an account holds with its leaves, paths and signature', async () => {
  expect(await check(file)).toMatchObject({
    valid: true,
    counts: { postings: 2, leaves: 4, free: { USDT: '40000000000000000000', BNB: '0', ETH: '0', RT: '0' } },
  })
  const later = await download('export.jsonl?from=2', other)
  expect(await check(later)).toMatchObject({ valid: true, counts: { free: { BNB: '2000000000000000000' } } })
  expect(file).not.toContain(other.id)
})

test('the command confirms an export and names the first wrong line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-proof-'))
  const run = async (text: string) => {
    const path = join(folder, 'proof.jsonl')
    await writeFile(path, text)
    return spawnSync(process.execPath, [COMMAND, 'proof', path, '--root-key', ROOT], { encoding: 'utf8' })
  }
  expect(await run(file)).toMatchObject({ status: 0, stdout: expect.stringContaining('2 rows and 4 leaves are right') })
  expect(await run(file.replace('"free":"4', '"free":"5'))).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^line \d+: the line was changed/),
  })
  await rm(folder, { recursive: true })
})

test('an export that begins later has the balances before', async () => {
  const last = JSON.parse(linesOf(file)[2]?.slice(65) ?? '').posting[0]
  const later = await download(`export.jsonl?from=${last}`, user)
  expect(JSON.parse(linesOf(later)[0]?.slice(65) ?? '').start).toEqual([['available', 'USDT', '25000000000000000000']])
  expect(await check(later)).toMatchObject({ valid: true, counts: { postings: 1 } })
})

test('each of 200 altered bytes is found in its line', async () => {
  const next = randomFrom(20_261_128)
  for (let round = 0; round < ALTERED; round++) {
    const bytes = Buffer.from(file)
    // The last byte ends the file.
    const place = next(bytes.length - 1)
    const line = file.slice(0, place).split('\n').length
    bytes[place] = ((bytes[place] as number) + 1 + next(127)) % 128
    expect(await check(bytes.toString('latin1')), `byte ${place}`).toMatchObject({ valid: false, line })
  }
}, 180_000)

test('a forged amount is found although its lines are hashed again', async () => {
  const forge = (line: number, change: (value: Forged) => void) =>
    check(rehash(linesOf(file).map((each, at) => (at === line ? changed(each, change) : each))))
  const lines = linesOf(file)
  const usdt = lines.findIndex((line) => line.includes('"leaf"') && line.includes('"USDT"'))
  const header = lines.findIndex((line) => line.includes('"header"'))
  const fault = (text: string) => expect.stringContaining(text)
  expect(await forge(1, (row) => row.posting.splice(6, 1, '1'))).toMatchObject({
    line: 2,
    fault: fault('the row says'),
  })
  for (const field of ['deposited_seen', 'paid_seen', 'salt'] as const) {
    const other = (text: string) => `${text.slice(0, -1)}${text.endsWith('7') ? '8' : '7'}`
    const verdict = await forge(usdt, ({ leaf }) => (leaf[field] = other(leaf[field])))
    expect(verdict, field).toMatchObject({ valid: false, line: usdt + 1 })
  }
  expect(await forge(usdt, ({ leaf }) => (leaf.free = '7'))).toMatchObject({
    line: usdt + 1,
    fault: fault('the rows leave'),
  })
  expect(await forge(header, (value) => (value.header.rtUsers = '7'))).toMatchObject({
    line: header + 1,
    fault: fault('another hash'),
  })
})

test('a file without its end, or without a leaf, is found', async () => {
  const lines = linesOf(file)
  for (let kept = 0; kept < lines.length; kept++)
    expect(await check(`${lines.slice(0, kept).join('\n')}\n`), `${kept} lines`).toMatchObject({ valid: false })
  const without = lines.filter((line) => !(line.includes('"leaf"') && line.includes('"USDT"')))
  const end = without.map((line) => line.replace(/"end":\d+/, `"end":${without.length - 1}`))
  expect(await check(rehash(end))).toMatchObject({ fault: expect.stringContaining('no leaf contains it') })
})

test('the signature of another key is found', async () => {
  const verdict = await verifyProof(linesOf(file), { rootKey: `0x${'00'.repeat(20)}` })
  expect(verdict).toMatchObject({ valid: false, fault: expect.stringContaining('signature of another key') })
})

test('a user proves an earlier header, whose counters were lower', async () => {
  const { number } = await server.ok('proofMine', {}, { token: user.token })
  await user.transferIn('USDT', '10')
  await nextHour()
  const usdt = async (payload: { number?: number }) => {
    const { leaves } = await server.ok('proofMine', payload, { token: user.token })
    return leaves.find((leaf) => leaf.kind === 'user' && leaf.asset === 'USDT')
  }
  expect(await usdt({})).toMatchObject({ free: '50000000000000000000', deposited_seen: '50000000000000000000' })
  const before = await usdt({ number: Number(number) })
  expect(before).toMatchObject({ free: '40000000000000000000', deposited_seen: '40000000000000000000' })
})

test('no second path is given out within an hour', async () => {
  const { number, leaves } = await server.ok('proofMine', {}, { token: user.token })
  await other.transferIn('USDT', '10')
  // A header with a change waits for ten seconds.
  await server.ok('localAdvance', { seconds: 11 })
  const newest = await vi.waitUntil(
    async () => {
      const header = await server.ok('proofHeader', {})
      return Number(header.number) > Number(number) && header.number
    },
    { timeout: 60_000, interval: 200 },
  )
  for (const payload of [{}, { number: Number(newest) }])
    expect(await server.ok('proofMine', payload, { token: user.token })).toMatchObject({ number, leaves })
})

test('the header of an entry is found for its owner alone', async () => {
  const entry = Number(JSON.parse(linesOf(file)[1]?.slice(65) ?? '').posting[0])
  const { header } = await server.ok('proofEntry', { entry }, { token: user.token })
  expect(Number(header.ledgerSeq)).toBeGreaterThanOrEqual(entry)
  expect(await server.call('proofEntry', { entry }, { token: other.token })).toMatchObject({ code: 20009 })
})

test('the file of headers continues the chain from a number', async () => {
  const all = linesOf(await download('headers.jsonl')).map((line) => JSON.parse(line))
  for (const [index, { header }] of all.entries()) if (index > 0) expect(header.previous).toBe(all[index - 1].hash)
  const later = linesOf(await download(`headers.jsonl?from=${all[1].number}`)).map((line) => JSON.parse(line))
  expect(later[0]).toEqual(all[1])
  expect(await server.ok('proofHeader', { number: Number(all[1].number) }, {})).toEqual(all[1])
})

test('the public proof data have the hash of each header', async () => {
  const headers = linesOf(await download('headers.jsonl')).map((line) => JSON.parse(line))
  const data = linesOf(await download('data.jsonl')).map((line) => JSON.parse(line))
  let chained = NO_PROOF_DATA
  const hashes = new Map<string, string>()
  for (const { number, block } of data) {
    chained = chainProofData(chained, Buffer.from(block, 'base64'))
    hashes.set(number, `0x${chained.toString('hex')}`)
  }
  for (const { number, header } of headers) expect(hashes.get(number)).toBe(header.dataHash)
  const later = linesOf(await download(`data.jsonl?from=${data[1].number}`)).map((line) => JSON.parse(line))
  expect(later[0]).toEqual(data[1])
})

test('an account without entries has no leaves', async () => {
  const { token } = await server.newUser()
  expect(await server.ok('proofMine', {}, { token })).toMatchObject({ posted_at: null, leaves: [] })
})

test('a header that does not exist is not found', async () => {
  expect(await server.call('proofMine', { number: 0 }, { token: user.token })).toMatchObject({ code: 20009 })
  expect(await server.call('proofHeader', { number: 0 }, {})).toMatchObject({ code: 20009 })
})

test('a pledge and a loan order are proven in each header', async () => {
  const trader = await newTrader(server)
  const as = { token: trader.token }
  await server.ok('pledge', { asset: 'USDT', amount: '100' }, as)
  const order = { collateral_asset: 'BNB', collateral_amount: '0.5', borrow_asset: 'USDT' } as const
  const { order_id } = await server.ok('lend', { ...order, borrow_amount: '10', term_days: 7 }, as)
  await nextHour()
  const positions = async (payload: { number?: number }) => {
    const { number, leaves } = await server.ok('proofMine', payload, as)
    return { number: Number(number), own: leaves.filter(({ kind }) => kind !== 'user') }
  }
  const open = await positions({})
  const pledge = { kind: 'pledge', asset: 'USDT', shares: '100000000000000000000000000' }
  const loan = {
    kind: 'order',
    order_id,
    collateral_asset: 'BNB',
    collateral: '500000000000000000',
    debt_asset: 'USDT',
  }
  expect(open.own).toEqual(expect.arrayContaining([expect.objectContaining(pledge), expect.objectContaining(loan)]))
  const exported = await download('export.jsonl', trader)
  expect(await check(exported)).toMatchObject({ valid: true, counts: { positions: 2 } })
  const without = linesOf(exported).map((line) =>
    line.includes('"positions"') ? changed(line, (value) => (value.positions = [])) : line,
  )
  expect(await check(rehash(without))).toMatchObject({
    fault: expect.stringContaining('the orders have 0 of BNB as collateral'),
  })

  await server.ok('repay', { order_id, amount: 'all' }, as)
  await nextHour()
  expect((await positions({})).own).toEqual([expect.objectContaining(pledge)])
  expect(await positions({ number: open.number })).toEqual(open)
}, 120_000)

interface Forged {
  positions: unknown[]
  readonly posting: (string | number)[]
  readonly leaf: Record<'free' | 'deposited_seen' | 'paid_seen' | 'salt', string>
  readonly header: Record<string, unknown>
}

function changed(line: string, change: (value: Forged) => void): string {
  const value = JSON.parse(line.slice(65))
  change(value)
  return `${line.slice(0, 65)}${JSON.stringify(value)}`
}

/** Writes the hash of each line again. */
function rehash(lines: readonly string[]): string {
  let before = ''
  const hashed = lines.map((line) => {
    before = hash('sha256', `${before}${line.slice(65)}`)
    return `${before} ${line.slice(65)}\n`
  })
  return hashed.join('')
}

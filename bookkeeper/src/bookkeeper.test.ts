import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT_KEY } from '@clearwell/server/src/domain/proofs/testing/proof-ledger.ts'
import { verifyLedger } from '@clearwell/verify/verify-ledger'
import { recoverAddress, recoverMessageAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bookkeeper, openBookkeeper } from './bookkeeper.ts'
import { refusalText } from './statements.ts'
import { ALICE, BOB, DATA_SECRET, HEAD, openProductLedger, type ProductLedger } from './testing/product-ledger.ts'

const KEY = privateKeyToAccount(`0x${'b0'.repeat(32)}`)

let ledger: ProductLedger
let folder: string
let bookkeeper: Bookkeeper
beforeEach(async () => {
  ledger = await openProductLedger()
  folder = await mkdtemp(join(tmpdir(), 'clearwell-bookkeeper-'))
  bookkeeper = await open()
})
afterEach(async () => {
  await bookkeeper.close()
  await ledger.server.close()
  await rm(folder, { recursive: true })
})

function open(key = KEY): Promise<Bookkeeper> {
  return openBookkeeper({
    ...{ folder, key, dataSecret: DATA_SECRET, expected: HEAD, startBlock: 1n },
    openNode: () => ledger.node,
    nowMs: () => ledger.server.clock.at.getTime(),
  })
}

/** Pulls what is new, judges it, and has the server record the statement. Returns it. */
async function follow(number?: bigint) {
  await ledger.makeHeader(async () => 'none')
  const batch = await ledger.batch(bookkeeper.stored)
  await bookkeeper.take(batch)
  expect(await bookkeeper.advance()).toBeUndefined()
  const of = number ?? bookkeeper.last
  return bookkeeper.statementOf(`${of}`)
}

/** Has the server take the statement, so that the next header can be made. */
async function settle() {
  await ledger.makeHeader(async ({ number }) => {
    const said = bookkeeper.statementOf(`${number}`)
    if (said?.signature) return { signature: said.signature as `0x${string}` }
    return said?.refusal ? { refusal: said.refusal as { reason: string; signature: `0x${string}` } } : 'none'
  })
}

async function trade() {
  await ledger.deposit(ALICE, 'USDT', 50_000n)
  await ledger.deposit(BOB, 'ETH', 7_000n)
  await ledger.swap(ALICE, 10_000n)
  await ledger.withdraw(ALICE, 'BNB', 1_000n)
}

test('signs each header of a ledger that trades', async () => {
  for (let round = 0; round < 3; round++) {
    await trade()
    const statement = await follow()
    expect(statement?.refusal).toBeUndefined()
    const { hash, signature } = statement as { hash: `0x${string}`; signature: `0x${string}` }
    expect(await recoverAddress({ hash, signature })).toBe(KEY.address)
    await settle()
  }
  const rows = await ledger.server.db.query(
    'select 1 from proof_header_bodies where root_signature is not null and book_signature is not null',
  )
  expect(rows).toHaveLength(3)
})

test('an export has the signature and the refusal of each header', async () => {
  await trade()
  await follow()
  await settle()
  await ledger.deposit(ALICE, 'USDT', 50_000n)
  await ledger.swap(ALICE, 10_000n, 1n)
  expect((await follow())?.refusal).toBeDefined()
  await settle()
  await follow()
  const lines = await ledger.export()
  const keys = { rootKey: ROOT_KEY.address, bookkeeperKey: KEY.address }
  expect(await verifyLedger(lines, keys)).toMatchObject({ valid: true, counts: { headers: 3 } })
  const other = { ...keys, bookkeeperKey: ROOT_KEY.address }
  const fault = expect.stringContaining('has the signature of another bookkeeper')
  expect(await verifyLedger(lines, other)).toMatchObject({ valid: false, fault })
})

test('refuses a payment that its own node does not have', async () => {
  await trade()
  ledger.events.splice(0, 1)
  const statement = await follow()
  expect(statement?.signature).toBeUndefined()
  const { reason = '', signature = '0x' } = statement?.refusal ?? {}
  expect(reason).toMatch(/^the chain lacks 50000 base units of USDT paid to the vault/)
  const message = refusalText(statement as { number: string; hash: string }, reason)
  expect(await recoverMessageAddress({ message, signature: signature as `0x${string}` })).toBe(KEY.address)
  expect(bookkeeper.refusals).toEqual([statement])
})

test('refuses a swap that takes more than the pool may give', async () => {
  await ledger.deposit(ALICE, 'USDT', 50_000n)
  await ledger.swap(ALICE, 10_000n, 1n)
  expect((await follow())?.refusal?.reason).toMatch(/\(swap\) makes the product of the pool's reserves smaller/)
  await settle()
  await ledger.deposit(ALICE, 'USDT', 1n)
  expect((await follow())?.refusal?.reason).toMatch(/\(swap\) makes/)
})

test('signs again after a missing payment is found', async () => {
  await trade()
  const [lost] = ledger.events.splice(0, 1)
  const refused = await follow()
  expect(refused?.refusal).toBeDefined()
  await settle()
  await ledger.deposit(BOB, 'ETH', 5n)
  const { block } = ledger.events.at(-1) as { block: bigint }
  ledger.events.push({ block, event: (lost as (typeof ledger.events)[number]).event })
  expect((await follow())?.signature).toBeDefined()
})

test('refuses a header whose cursor is an hour old', async () => {
  await trade()
  await ledger.makeHeader(async () => 'none')
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  const { at } = ledger.server.clock
  const timeS = at.getTime() / 1_000
  const { block } = ledger.node
  Object.assign(ledger.node, { block: async (number: bigint) => ({ ...(await block(number)), timeS }) })
  ledger.server.clock.at = new Date(at.getTime() + 3_600_000)
  await bookkeeper.advance()
  expect(bookkeeper.refusals.at(-1)?.refusal?.reason).toBe("the watcher's block is an hour old")
})

test('waits while its node is behind', async () => {
  await trade()
  await ledger.makeHeader(async () => 'none')
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  const { head } = ledger.node
  Object.assign(ledger.node, { head: async () => 2n })
  expect(await bookkeeper.advance()).toMatch(/^the node is at block 2/)
  Object.assign(ledger.node, { head })
  expect(await bookkeeper.advance()).toBeUndefined()
  expect(bookkeeper.statementOf(`${bookkeeper.last}`)?.signature).toBeDefined()
})

test('says the same after a crash at any byte of its store', async () => {
  await trade()
  const first = await follow()
  await settle()
  await trade()
  const second = await follow()
  await bookkeeper.close()
  const path = join(folder, 'ledger.jsonl')
  const whole = await readFile(path)
  for (const part of [0.1, 0.35, 0.6, 0.8, 0.97, 0.999]) {
    await writeFile(path, whole)
    await truncate(path, Math.floor(whole.length * part))
    bookkeeper = await open()
    await bookkeeper.take(await ledger.batch(bookkeeper.stored))
    expect(await bookkeeper.advance()).toBeUndefined()
    const known = bookkeeper.statementOf(first?.number ?? '')
    // A header that the server has settled needs no second statement.
    expect([undefined, first?.signature]).toContain(known?.signature)
    expect(bookkeeper.statementOf(second?.number ?? '')?.signature).toBe(second?.signature)
    expect(second?.signature).toBeDefined()
    await bookkeeper.close()
  }
  bookkeeper = await open()
})

test('does not start on a store that was changed', async () => {
  await trade()
  await follow()
  await bookkeeper.close()
  const path = join(folder, 'ledger.jsonl')
  const whole = await readFile(path, 'utf8')
  await writeFile(path, whole.replace('"50000"', '"60000"'))
  await expect(open()).rejects.toThrow(/line \d+ of .* was changed/)
  await writeFile(path, whole)
  bookkeeper = await open()
})

test('an empty store takes a key that has signed nothing', async () => {
  await trade()
  await follow()
  await settle()
  await bookkeeper.close()
  await rm(join(folder, 'ledger.jsonl'))
  bookkeeper = await open()
  const batch = await ledger.batch(bookkeeper.stored)
  await expect(bookkeeper.take(batch)).rejects.toThrow(/^this key has signed header \d+, and the store is empty/)
  await bookkeeper.close()
  bookkeeper = await open(privateKeyToAccount(`0x${'b1'.repeat(32)}`))
  await bookkeeper.take(batch)
  await trade()
  expect((await follow())?.signature).toBeDefined()
})

test('a replaced key signs the header that waits, and keeps the verdict', async () => {
  const [second, third] = ['b1', 'b2'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`))
  if (!second || !third) throw new Error('two keys')
  await trade()
  const before = await follow()
  const number = before?.number ?? ''
  // Each is opened twice: the statement comes from the store the second time.
  for (const key of [second, second, third]) {
    await bookkeeper.close()
    bookkeeper = await open(key)
    const { hash, signature } = bookkeeper.statementOf(number) as { hash: `0x${string}`; signature: `0x${string}` }
    expect(hash).toBe(before?.hash)
    expect(await recoverAddress({ hash, signature })).toBe(key.address)
  }
  await settle()
  await trade()
  expect((await follow())?.refusal).toBeUndefined()
})

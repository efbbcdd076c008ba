import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { makeDueHeader } from '@clearwell/server/src/domain/proofs/make-headers.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bookkeeper, openBookkeeper } from './bookkeeper.ts'
import { ALICE, BOB, DATA_SECRET, HEAD, openProductLedger, type ProductLedger } from './testing/product-ledger.ts'

const NEW_VAULT = `0x${'7b'.repeat(20)}` as const

let ledger: ProductLedger
let folder: string
let bookkeeper: Bookkeeper
beforeAll(async () => {
  ledger = await openProductLedger()
  folder = await mkdtemp(join(tmpdir(), 'clearwell-move-'))
  // At the old vault the root key signs alone.
  await ledger.deposit(ALICE, 'USDT', 50_000n)
  await ledger.deposit(BOB, 'ETH', 7_000n)
  await ledger.makeHeader()
  await ledger.swap(ALICE, 10_000n)
  await ledger.withdraw(BOB, 'ETH', 1_000n)
  await ledger.makeHeader()
})
afterAll(async () => {
  await bookkeeper.close()
  await expectBooksBalanced(ledger.server.db)
  await ledger.server.close()
  await rm(folder, { recursive: true })
})

const open = () =>
  openBookkeeper({
    ...{ folder, key: privateKeyToAccount(`0x${'b0'.repeat(32)}`), dataSecret: DATA_SECRET, startBlock: 1n },
    ...{ expected: { ...HEAD, vault: NEW_VAULT }, replaced: [HEAD.vault] },
    openNode: () => ledger.node,
    nowMs: () => ledger.server.clock.at.getTime(),
  })

/** Makes a header, and has the bookkeeper judge it and the server take its statement. */
async function follow() {
  await ledger.makeHeader(async () => 'none')
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  expect(await bookkeeper.advance()).toBeUndefined()
  const said = bookkeeper.statementOf(`${bookkeeper.last}`)
  await ledger.makeHeader(async () =>
    said?.signature
      ? { signature: said.signature as `0x${string}` }
      : { refusal: said?.refusal as { reason: string; signature: `0x${string}` } },
  )
  return said?.refusal?.reason ?? 'signed'
}

test('a header of the old vault that waits is never signed', async () => {
  await ledger.deposit(ALICE, 'USDT', 5n)
  await ledger.makeHeader(async () => 'none')
  const before = ledger.server.server()
  await ledger.moveTo(NEW_VAULT)
  bookkeeper = await open()
  expect(await follow()).toBe('the header is of a vault that the ledger has left')
  // A server that has not been restarted records none either.
  await ledger.deposit(ALICE, 'USDT', 5n)
  expect(await makeDueHeader(before, { force: true })).toBeUndefined()
  expect(await ledger.server.db.query('select 1 from proof_headers')).toHaveLength(3)
})

test('a bookkeeper signs the headers after a move', async () => {
  expect(await follow()).toBe('signed')
  await ledger.deposit(BOB, 'USDT', 900n)
  await ledger.withdraw(ALICE, 'USDT', 100n)
  expect(await follow()).toBe('signed')
})

test('a payment to the old vault may wait for its credit', async () => {
  const late = { kind: 'transfer', tx: '0x0a', account: BOB, asset: 'USDT', units: '40' } as const
  ledger.events.push({ block: (await ledger.node.head()) + 1n, event: { ...late, replaced: HEAD.vault } })
  await ledger.deposit(BOB, 'USDT', 1n)
  expect(await follow()).toBe('signed')
  await ledger.post('deposit', late.tx, [
    ['vault', 'USDT', -40n],
    [`user:${BOB}:available`, 'USDT', 40n],
  ])
  expect(await follow()).toBe('signed')
  // More than was paid is a fault.
  await ledger.post('deposit', late.tx, [
    ['vault', 'USDT', -1n],
    [`user:${BOB}:available`, 'USDT', 1n],
  ])
  expect(await follow()).toMatch(/^the chain lacks 1 base units of USDT/)
})

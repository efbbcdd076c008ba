import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bookkeeper, openBookkeeper } from './bookkeeper.ts'
import { ALICE, BOB, DATA_SECRET, HEAD, openProductLedger, type ProductLedger } from './testing/product-ledger.ts'

const KEY = privateKeyToAccount(`0x${'b0'.repeat(32)}`)
const DAY = 86_400

let ledger: ProductLedger
let folder: string
let bookkeeper: Bookkeeper
beforeEach(async () => {
  ledger = await openProductLedger()
  folder = await mkdtemp(join(tmpdir(), 'clearwell-exits-'))
  bookkeeper = await open()
  await ledger.deposit(ALICE, 'USDT', 50_000n)
  await ledger.deposit(BOB, 'ETH', 7_000n)
})
afterEach(async () => {
  await bookkeeper.close()
  await ledger.server.close()
  await rm(folder, { recursive: true })
})

function open(): Promise<Bookkeeper> {
  return openBookkeeper({
    ...{ folder, key: KEY, dataSecret: DATA_SECRET, expected: HEAD, startBlock: 1n },
    openNode: () => ledger.node,
    nowMs: () => ledger.server.clock.at.getTime(),
  })
}

/** Makes the next header. Returns why it is refused; `undefined` if it is signed. */
async function judge(): Promise<string | undefined> {
  await ledger.makeHeader(async () => 'none')
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  expect(await bookkeeper.advance()).toBeUndefined()
  const said = bookkeeper.statementOf(`${bookkeeper.last}`)
  expect(said?.signature === undefined).toBe(said?.refusal !== undefined)
  await ledger.makeHeader(async () =>
    said?.signature
      ? { signature: said.signature as `0x${string}` }
      : { refusal: said?.refusal as { reason: string; signature: `0x${string}` } },
  )
  return said?.refusal?.reason
}

const nowS = () => ledger.server.clock.at.getTime() / 1_000
const request = (at: number) => ledger.act({ kind: 'requested', account: ALICE, at })
let seq = 0
function post(at: number) {
  const { number = '', hash = '' } = bookkeeper.statementOf(`${bookkeeper.last}`) ?? {}
  seq += 1
  return ledger.act({ kind: 'posted', seq, number, hash, at })
}

test('refuses every header after a trade of an account that leaves', async () => {
  expect(await judge()).toBeUndefined()
  await request(nowS())
  expect(await judge()).toBeUndefined()
  await ledger.swap(ALICE, 1_000n)
  expect(await judge()).toMatch(/\(swap\) takes 1000 base units of USDT from 0x.*, which leaves$/)
  await ledger.deposit(BOB, 'ETH', 1n)
  expect(await judge()).toMatch(/\(swap\) takes/)
})

test('signs while an account leaves, is paid, stays and trades', async () => {
  expect(await judge()).toBeUndefined()
  await post(nowS() - 7 * DAY)
  await request(nowS() - 7 * DAY)
  expect(await judge()).toBeUndefined()
  await ledger.deposit(ALICE, 'USDT', 500n)
  expect(await judge()).toBeUndefined()
  await ledger.exit(ALICE, 'USDT', 20_000n)
  await ledger.act({ kind: 'paid', account: ALICE, block: `${await ledger.node.head()}` })
  expect(await judge()).toBeUndefined()
  await ledger.act({ kind: 'cancelled', account: ALICE })
  await ledger.swap(ALICE, 1_000n)
  expect(await judge()).toBeUndefined()
  await ledger.swap(ALICE, 1_000n)
  expect(await judge()).toBeUndefined()
})

test('refuses while the ledger has less than the vault will pay', async () => {
  expect(await judge()).toBeUndefined()
  await post(nowS() - 7 * DAY)
  // The operator is silent from here on: no later root reaches the chain, and the trade is in none.
  await ledger.swap(ALICE, 1_000n)
  await request(nowS() - 6 * DAY)
  const reason = await judge()
  expect(reason).toMatch(/leaves with 50000 base units of USDT, and the ledger has 49000$/)
  await bookkeeper.close()
  bookkeeper = await open()
  expect(bookkeeper.refusals.at(-1)?.refusal?.reason).toBe(reason)
  await ledger.withdraw(BOB, 'ETH', 1n)
  expect(await judge()).toBe(reason)
  await ledger.act({ kind: 'cancelled', account: ALICE })
  expect(await judge()).toBeUndefined()
})

test('refuses a loss that pledgers bear while insurance has money', async () => {
  const [owner, liquidator] = [`user:${ALICE}`, `user:${BOB}`]
  await ledger.deposit(BOB, 'USDT', 9_000n)
  await ledger.deposit(ALICE, 'BNB', 10n)
  await ledger.post('activation', 'a', [
    [`${liquidator}:available`, 'USDT', -300n],
    ['insurance', 'USDT', 300n],
  ])
  await ledger.post('pledge', 'p', [
    [`${liquidator}:available`, 'USDT', -3_000n],
    ['lending:USDT:cash', 'USDT', 3_000n],
  ])
  await ledger.post('loan', 'order', [
    [`${owner}:available`, 'BNB', -10n],
    [`${owner}:collateral`, 'BNB', 10n],
    ['lending:USDT:cash', 'USDT', -3_000n],
    [`${owner}:available`, 'USDT', 3_000n],
  ])
  expect(await judge()).toBeUndefined()
  await ledger.post('liquidation', 'order', [
    [`${owner}:collateral`, 'BNB', -10n],
    [`${liquidator}:available`, 'BNB', 10n],
    [`${liquidator}:available`, 'USDT', -2_000n],
    ['lending:USDT:cash', 'USDT', 2_000n],
  ])
  expect(await judge()).toMatch(/\(liquidation\) has pledgers bear a loss of 1000 that insurance can pay$/)
})

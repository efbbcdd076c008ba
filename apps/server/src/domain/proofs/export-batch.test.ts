import { readOneMoment } from '@clearwell/ledger/reads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BatchCursor, exportBatch } from './export-batch.ts'
import { makeDueHeader } from './make-headers.ts'
import { OPERATOR, openProofLedger, type ProofLedger, SETTINGS } from './testing/proof-ledger.ts'

const HEAD = { chainId: 97, vault: SETTINGS.domain.vault, operator: OPERATOR, tokens: SETTINGS.tokens }
const START: BatchCursor = { entry: 0n, header: 0n, change: 0n }

let ledger: ProofLedger
beforeEach(async () => {
  ledger = await openProofLedger()
})
afterEach(() => ledger.close())

const deposit = (user: number) => ledger.run({ what: 'deposit', user, asset: 'USDT', units: 5n })

async function batch(after: BatchCursor) {
  const text = await readOneMoment(ledger.db, (tx) => exportBatch(tx, HEAD, after))
  const values = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line.slice(65)))
  const { end, change } = values.at(-1)
  expect(end).toBe(values.length - 1)
  return {
    accounts: values.filter(({ account }) => account).map(({ account }) => account[0]),
    entries: values.filter(({ entry }) => entry).map(({ entry }) => entry[0]),
    headers: values.filter(({ header }) => header).map(({ header }) => header.number),
    change: BigInt(change),
  }
}

test('a batch has what follows the cursor', async () => {
  const server = ledger.server()
  await deposit(0)
  const first = await makeDueHeader(server, { force: true })
  await deposit(1)
  const all = await batch(START)
  expect(all).toMatchObject({ entries: ['1', '2'], headers: [`${first}`] })
  expect(all.accounts).toHaveLength(2)
  const after = { entry: 2n, header: first ?? 0n, change: all.change }
  expect(await batch(after)).toEqual({ accounts: [], entries: [], headers: [], change: all.change })
  await deposit(0)
  const second = await makeDueHeader(server, { force: true })
  expect(await batch(after)).toMatchObject({ entries: ['3'], headers: [`${second}`] })
})

test('a header that waits for its signatures is in the batch', async () => {
  await deposit(0)
  await makeDueHeader({ ...ledger.server(), askBookkeeper: async () => 'none' }, { force: true })
  expect((await batch(START)).headers).toHaveLength(1)
})

test('a header comes once its entries fit into batches', async () => {
  for (let entry = 0; entry < 5; entry++) await deposit(0)
  await makeDueHeader(ledger.server(), { force: true })
  // As if the entries before were in an earlier batch, and the last not yet.
  await ledger.db.query('update proof_headers set ledger_seq = 6')
  expect((await batch(START)).headers).toHaveLength(0)
  await deposit(0)
  expect((await batch({ ...START, entry: 5n })).headers).toHaveLength(1)
})

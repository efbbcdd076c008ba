import type { Command } from '@clearwell/ledger/command'
import { NotReady } from '@clearwell/ledger/writer'
import type { Hex } from '@clearwell/proofs/bytes'
import { chainProofData, NO_PROOF_DATA } from '@clearwell/proofs/proof-data'
import fc from 'fast-check'
import { recoverAddress } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readHeaderTimes } from '../../platform/ledger/header-age.ts'
import { type BookStatement, type HeaderDependencies, makeDueHeader } from './make-headers.ts'
import { NO_HASH } from './proof-books.ts'
import { openProofLedger, type ProofLedger, ROOT_KEY, type Step } from './testing/proof-ledger.ts'

let ledger: ProofLedger
beforeEach(async () => {
  ledger = await openProofLedger()
})
afterEach(() => ledger.close())

const deposit: Step = { what: 'deposit', user: 0, asset: 'USDT', units: 5n }

/** The server dies at a call of the writer or of the key: before it, or after it took effect. */
function dying(server: HeaderDependencies, at: number, when: 'before' | 'after'): HeaderDependencies {
  let calls = 0
  async function step<Result>(run: () => Promise<Result>): Promise<Result> {
    const isLast = calls++ === at
    if (isLast && when === 'before') throw new NotReady('killed')
    const result = await run()
    if (isLast) throw new NotReady('killed')
    return result
  }
  return {
    ...server,
    make: () => step(server.make),
    writer: { execute: <Result>(command: Command<Result>) => step(() => server.writer.execute(command)) },
    signer: { ...server.signer, sign: (hash) => step(() => server.signer.sign(hash)) },
  }
}

/** Reads all headers, and expects one chain with one signature for each. */
async function expectOneChain(): Promise<number> {
  const rows = await ledger.db.query<{
    number: bigint
    previous: string
    hash: Hex
    header: string
    root_signature: Hex | null
    block: string
  }>(
    `select h.number, previous, hash, header, root_signature, block
     from proof_headers h join proof_header_bodies using (id) join proof_data using (id) order by h.number`,
  )
  let [previous, dataHash]: [string, Buffer] = [NO_HASH, NO_PROOF_DATA]
  for (const { number, hash, header, root_signature, block, ...row } of rows) {
    dataHash = chainProofData(dataHash, Buffer.from(block, 'base64'))
    expect(row.previous).toBe(previous)
    const fields = { number: `${number}`, previous, dataHash: `0x${dataHash.toString('hex')}` }
    expect(JSON.parse(header)).toMatchObject(fields)
    expect(root_signature && (await recoverAddress({ hash, signature: root_signature }))).toBe(ROOT_KEY.address)
    previous = hash
  }
  return rows.length
}

test('a header is made when due, and by no earlier time', async () => {
  const server = ledger.server()
  expect(await makeDueHeader(server)).toBeDefined()
  const after = async (seconds: number) => {
    ledger.clock.at = new Date(ledger.clock.at.getTime() + 1_000 * seconds)
    return (await makeDueHeader(server)) !== undefined
  }
  expect(await after(599)).toBe(false)
  expect(await after(1)).toBe(true)
  await ledger.run(deposit)
  expect(await after(9)).toBe(false)
  expect(await after(1)).toBe(true)
  expect(await expectOneChain()).toBe(3)
})

test('no header is made while the last block is old', async () => {
  const server = ledger.server()
  await makeDueHeader(server)
  ledger.clock.at = new Date(ledger.clock.at.getTime() + 3_001_000)
  await ledger.run(deposit)
  expect(await makeDueHeader(server)).toBeUndefined()
  await ledger.run({ ...deposit, what: 'cursor' })
  expect(await makeDueHeader(server)).toBeDefined()
})

test('before the first root, the age counts from the first header', async () => {
  const server = { ...ledger.server(), rootsCount: true }
  const begun = ledger.clock.at
  await makeDueHeader(server)
  ledger.clock.at = new Date(begun.getTime() + 600_000)
  await makeDueHeader(server)
  expect(await readHeaderTimes(ledger.db)).toMatchObject({
    ...{ made_at: ledger.clock.at, root_made_at: begun, root_id: null },
  })
})

test('a waiting transfer out gets its header after a second', async () => {
  const server = ledger.server()
  await makeDueHeader(server)
  await ledger.run(deposit)
  const id = `0x${'a'.repeat(39)}1`
  await ledger.db.query(
    `insert into withdrawal_orders (id, user_id, asset, amount, status, created_at, nonce, deadline)
     values ('1', $1, 'USDT', 1, 'locked', $2, 1, $2)`,
    [id, ledger.clock.at],
  )
  expect(await makeDueHeader(server)).toBeUndefined()
  ledger.clock.at = new Date(ledger.clock.at.getTime() + 1_000)
  expect(await makeDueHeader(server)).toBeDefined()
})

test('two servers that die anywhere make one header for each number', async () => {
  const death = fc.record({ at: fc.nat(4), when: fc.constantFrom('before', 'after'), isFirst: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(death, { minLength: 1, maxLength: 2 }), { maxLength: 4 }), async (rounds) => {
      let servers: [HeaderDependencies, HeaderDependencies] = [ledger.server(), ledger.server()]
      for (const deaths of rounds) {
        await ledger.run(deposit)
        // Those of one round run together.
        await Promise.allSettled(
          deaths.map(({ at, when, isFirst }) =>
            makeDueHeader(dying(servers[isFirst ? 0 : 1], at, when), { force: true }),
          ),
        )
        // Both memories are lost now and then.
        if (deaths.length === 2) servers = [servers[1], ledger.server()]
      }
      await makeDueHeader(servers[0], { force: true })
      await makeDueHeader(servers[1], { force: true })
      expect(await expectOneChain()).toBeGreaterThan(0)
    }),
    { numRuns: 5, endOnFailure: true },
  )
}, 120_000)

/** The signatures of the newest header. */
async function readNewest() {
  const [row] = await ledger.db.query<{
    id: string
    root_signature: Hex | null
    book_signature: Hex | null
    book_refusal: string | null
  }>(
    'select id, root_signature, book_signature, book_refusal from proof_header_bodies order by id::bigint desc limit 1',
  )
  return row
}

test('both signatures are stored together, once the bookkeeper has signed', async () => {
  let statement: BookStatement = 'none'
  const server = { ...ledger.server(), askBookkeeper: async () => statement }
  expect(await makeDueHeader(server)).toBeUndefined()
  expect(await makeDueHeader(server)).toBeUndefined()
  expect(await readNewest()).toMatchObject({ root_signature: null, book_signature: null })
  statement = { signature: '0xb0' }
  expect(await makeDueHeader(server)).toBeDefined()
  expect(await readNewest()).toMatchObject({ root_signature: expect.stringMatching(/^0x/), book_signature: '0xb0' })
})

test('a refused header stays unsigned, and the next follows after ten minutes', async () => {
  const refusal = { reason: 'a fault', signature: '0xb0' } as const
  let statement: BookStatement = { refusal }
  const server = { ...ledger.server(), askBookkeeper: async () => statement }
  expect(await makeDueHeader(server)).toBeUndefined()
  const refused = await readNewest()
  expect(refused).toMatchObject({ root_signature: null, book_refusal: JSON.stringify(refusal) })
  statement = { signature: '0xb1' }
  await ledger.run(deposit)
  ledger.clock.at = new Date(ledger.clock.at.getTime() + 599_000)
  expect(await makeDueHeader(server)).toBeUndefined()
  expect(await readNewest()).toEqual(refused)
  ledger.clock.at = new Date(ledger.clock.at.getTime() + 1_000)
  expect(await makeDueHeader(server)).toBeDefined()
  const [link] = await ledger.db.query<{ previous: string; hash: string }>(
    `select next.previous, before.hash from proof_headers before, proof_headers next
     where before.id = $1 and next.number > before.number`,
    [refused?.id ?? ''],
  )
  expect(link?.previous).toBe(link?.hash)
})

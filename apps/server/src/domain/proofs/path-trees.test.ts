import { ASSET_IDS } from '@clearwell/money/asset'
import { rootOfPath } from '@clearwell/proofs/sum-tree'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueHeader } from './make-headers.ts'
import { PathTrees, readBlocks } from './path-trees.ts'
import { openProofLedger, type ProofLedger, SETTINGS, USERS, userOf } from './testing/proof-ledger.ts'

const ROUNDS = 6

let ledger: ProofLedger
let numbers: bigint[]
beforeAll(async () => {
  ledger = await openProofLedger()
  const server = ledger.server()
  for (let round = 0; round < ROUNDS; round++) {
    for (let user = 0; user <= Math.min(round, USERS - 1); user++)
      for (const asset of ASSET_IDS) await ledger.run({ what: 'deposit', user, asset, units: BigInt(10 + round) })
    await makeDueHeader(server, { force: true })
  }
  const rows = await ledger.db.query<{ number: bigint }>('select number from proof_headers order by number')
  numbers = rows.map(({ number }) => number)
})
afterAll(() => ledger.close())

async function follow(trees: PathTrees, to: bigint): Promise<void> {
  for await (const blocks of readBlocks(ledger.db, { after: trees.number, to })) trees.add(blocks)
}

/** Expects that the path of a place leads to the stated root of each tree of a header. */
async function expectRoots(trees: PathTrees, number: bigint, place: number): Promise<void> {
  const [row] = await ledger.db.query<{ header: string }>('select header from proof_header_bodies where id = $1', [
    number.toString(),
  ])
  const header = JSON.parse(row?.header ?? '')
  const paths = trees.pathsAt(number, place)
  expect(paths).toHaveLength(ASSET_IDS.length)
  for (const [index, asset] of ASSET_IDS.entries()) {
    const token = SETTINGS.tokens[asset]
    const root = rootOfPath({ asset: token, depth: 20, place, ...(paths?.[index] as NonNullable<typeof paths>[0]) })
    const stated =
      asset === 'RT' ? header.rtRoot : header.assets.find((each: { token: string }) => each.token === token).root
    expect(`0x${root.toString('hex')}`, `${asset} of header ${number}`).toBe(stated)
  }
}

test('proves every header that it has followed, in any order', async () => {
  const trees = new PathTrees(SETTINGS.dataSecret)
  const [{ place } = { place: 0 }] = await ledger.db.query<{ place: number }>(
    'select place from proof_accounts where id = $1',
    [userOf(0)],
  )
  for (const number of numbers) {
    await follow(trees, number)
    await expectRoots(trees, number, place)
  }
  for (const at of [2, 0, 5, 1, 4, 3]) await expectRoots(trees, numbers[at] as bigint, place)
  expect(trees.pathsAt(numbers[5] as bigint, place)?.[0]?.leaf.sum).toBe(10n + 11n + 12n + 13n + 14n + 15n)
  expect(trees.pathsAt(numbers[1] as bigint, place)?.[0]?.leaf.sum).toBe(10n + 11n)
})

test('adds a block once, and knows no header that does not exist', async () => {
  const trees = new PathTrees(SETTINGS.dataSecret)
  const last = numbers.at(-1) as bigint
  await follow(trees, last)
  for await (const blocks of readBlocks(ledger.db, { after: 0n, to: last })) trees.add(blocks)
  await expectRoots(trees, last, 0)
  expect(trees.pathsAt(last + 1n, 0)).toBeUndefined()
  expect(trees.pathsAt((numbers[0] as bigint) - 1n, 0)).toBeUndefined()
})

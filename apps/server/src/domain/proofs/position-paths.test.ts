import { hashPledge, positionsRootOfPath } from '@clearwell/proofs/positions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueHeader } from './make-headers.ts'
import { PositionTree, readPositionHashes } from './position-paths.ts'
import { openProofLedger, type ProofLedger, SETTINGS, USERS, userOf } from './testing/proof-ledger.ts'

const ROUNDS = 6

let ledger: ProofLedger
let headers: { number: bigint; positionsRoot: string }[]
beforeAll(async () => {
  ledger = await openProofLedger()
  for (let user = 0; user < USERS; user++) await ledger.run({ what: 'deposit', user, asset: 'USDT', units: 100n })
  // Each round a user pledges for the first time or again. One round has another server as leader, with nothing in memory.
  let server = ledger.server()
  for (let round = 0; round < ROUNDS; round++) {
    await ledger.run({ what: 'pledge', user: round % 4, asset: 'USDT', units: 10n })
    if (round === 3) server = ledger.server()
    await makeDueHeader(server, { force: true })
  }
  const rows = await ledger.db.query<{ header: string }>('select header from proof_header_bodies')
  headers = rows
    .map(({ header }) => JSON.parse(header))
    .map(({ number, positionsRoot }) => ({ number: BigInt(number), positionsRoot }))
    .sort((a, b) => Number(a.number - b.number))
})
afterAll(() => ledger.close())

/** Returns the hashes of a user's positions in a header. */
async function ownAt(user: number, number: bigint): Promise<{ hash: string; leaf: string }[]> {
  return ledger.db.query<{ hash: string; leaf: string }>(
    `select hash, leaf from proof_positions
     where account = $1 and since <= $2 and (ended is null or ended > $2)`,
    [userOf(user), number.toString()],
  )
}

test('each header of before has the root of its stored positions', async () => {
  expect(headers).toHaveLength(ROUNDS)
  const tree = new PositionTree()
  for (const { number, positionsRoot } of headers.toReversed()) {
    tree.hold(number, await readPositionHashes(ledger.db, number))
    expect(tree.pathsOf([]).root, `header ${number}`).toBe(positionsRoot)
  }
})

test('a pledge has the shares and the path of each header', async () => {
  const [first, last] = [headers[0], headers.at(-1)] as [(typeof headers)[0], (typeof headers)[0]]
  for (const [header, shares] of [
    [first, 10n],
    [last, 20n],
  ] as const) {
    const own = await ownAt(0, header.number)
    expect(own.map(({ leaf }) => JSON.parse(leaf))).toEqual([{ kind: 'pledge', asset: 'USDT', shares: `${shares}` }])
    const tree = new PositionTree()
    tree.hold(header.number, await readPositionHashes(ledger.db, header.number))
    const [place] = tree.pathsOf(own.map(({ hash }) => hash)).places
    const [account] = await ledger.db.query<{ salt: `0x${string}` }>('select salt from proof_accounts where id = $1', [
      userOf(0),
    ])
    const leaf = { salt: account?.salt ?? '0x', account: userOf(0) as `0x${string}` }
    const hash = hashPledge({ ...leaf, pool: SETTINGS.tokens.USDT, shares })
    const path = (place?.path ?? []).map((each) => Buffer.from(each.slice(2), 'hex'))
    const root = positionsRootOfPath(hash, place?.index ?? -1, path)
    expect(`0x${root.toString('hex')}`).toBe(header.positionsRoot)
  }
})

test('a leaf of another header has no place', async () => {
  const [first, last] = [headers[0], headers.at(-1)] as [(typeof headers)[0], (typeof headers)[0]]
  const tree = new PositionTree()
  tree.hold(last.number, await readPositionHashes(ledger.db, last.number))
  const [old] = await ownAt(0, first.number)
  expect(tree.pathsOf([old?.hash ?? '']).places).toEqual([undefined])
  expect(() => new PositionTree().pathsOf([])).toThrow('no positions tree yet')
})

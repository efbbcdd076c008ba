import { createHash } from 'node:crypto'
import { hashLeaf } from '@clearwell/proofs/leaf'
import { chainProofData, NO_PROOF_DATA, type ProofRecord, sealRecords } from '@clearwell/proofs/proof-data'
import { SumTree } from '@clearwell/proofs/sum-tree'

type Hex = `0x${string}`
const NO_HASH: Hex = `0x${'00'.repeat(32)}`
export const TOKENS: readonly Hex[] = [`0x${'00'.repeat(20)}`, `0x${'d7'.repeat(20)}`, `0x${'e7'.repeat(20)}`]
const RT: Hex = `0x${'5254'.padStart(40, '0')}`
/** Published keys of two quarters. */
export const KEYS = { '2026Q4': `0x${'04'.repeat(32)}`, '2027Q1': `0x${'01'.repeat(32)}` } as const
const QUARTERS = ['2026Q4', '2026Q4', '2027Q1', '2027Q1'] as const

export interface SampleLeaf {
  readonly account: Hex
  readonly asset: number
  readonly free: bigint
  readonly depositedSeen: bigint
  readonly paidSeen: bigint
}

/** Each account has its salt and place. */
export const saltOf = (account: Hex): Hex => `0x${createHash('sha256').update(account).digest('hex')}`
export const placeOf = (account: Hex): number => Number.parseInt(saltOf(account).slice(2, 7), 16)

/** Makes the proof data and the headers of changes, one header for each list of leaves, as the server does. */
export function makeData(changes: readonly (readonly SampleLeaf[])[]) {
  const trees = [...TOKENS, RT].map(() => new SumTree())
  let [hash, previous] = [NO_PROOF_DATA, NO_HASH]
  const made = changes.map((leaves, i) => {
    const number = BigInt(2 * i + 3)
    const records = leaves.map((leaf) => recordOf(leaf))
    for (const { asset, place, sum, hash: of } of records)
      trees[asset]?.set([{ place, hash: Buffer.from(of.slice(2), 'hex'), sum }])
    const key = Buffer.from(KEYS[QUARTERS[i] ?? '2027Q1'].slice(2), 'hex')
    const block = sealRecords(key, number, records)
    hash = chainProofData(hash, block)
    const roots = [...TOKENS, RT].map((token, asset) => `0x${trees[asset]?.root(token).toString('hex')}`)
    const header = {
      ...{ number: `${number}`, previous, dataHash: `0x${hash.toString('hex')}`, depth: 20 },
      ...{ rtRoot: roots[3] ?? '', rtUsers: `${trees[3]?.sum}` },
      assets: TOKENS.map((token, asset) => ({ token, root: roots[asset] ?? '', users: `${trees[asset]?.sum}` })),
    }
    previous = `0x${createHash('sha256').update(`${number}`).digest('hex')}`
    return { header, line: JSON.stringify({ number: `${number}`, block: block.toString('base64') }) }
  })
  return { headers: made.map(({ header }) => header), lines: made.map(({ line }) => line) }
}

function recordOf({ account, asset, free, ...seen }: SampleLeaf): ProofRecord {
  const token = [...TOKENS, RT][asset] as Hex
  const leaf = hashLeaf({ salt: saltOf(account), account, asset: token, free, ...seen })
  return { asset, place: placeOf(account), hash: `0x${leaf.toString('hex')}`, sum: free }
}

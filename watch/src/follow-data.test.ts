import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chainProofData, NO_PROOF_DATA, sealRecords } from '@clearwell/proofs/proof-data'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Finding } from './alarm-codes.ts'
import { chainBlock, judgeData, openDataStore } from './follow-data.ts'
import { parseHeaderLine } from './header-lines.ts'
import { openHeaderStore } from './header-store.ts'
import type { DataBlock } from './read-sources.ts'
import { startHeaderServer } from './testing/header-server.ts'
import { signedLine } from './testing/signed-header.ts'

const KEY = Buffer.alloc(32, 5)
const HASH = `0x${'cc'.repeat(32)}` as const

/** Blocks of the product's code, with the hash chain up to each. */
const made = [1n, 2n, 3n, 4n].map((number) => ({
  number,
  block: sealRecords(KEY, number, [{ asset: 0, place: 1, hash: HASH, sum: number }]).toString('base64'),
}))
const hashes: Buffer[] = []
for (const { block } of made) hashes.push(chainProofData(hashes.at(-1) ?? NO_PROOF_DATA, Buffer.from(block, 'base64')))
const hashAt = (index: number) => `0x${hashes[index]?.toString('hex')}` as const
const statedBut = (missing: readonly bigint[]) => (number: bigint) =>
  missing.includes(number) ? undefined : hashAt(Number(number) - 1)

const judge = (
  blocks: readonly DataBlock[],
  missing: readonly bigint[] = [],
  end = { number: 1n, hash: hashAt(0) },
) => {
  const { findings, proven, end: last } = judgeData(blocks, end, statedBut(missing))
  return [findings.map(({ key }) => key), proven.map(({ number }) => number), last?.number]
}

test('the chain of blocks is that of the product', () => {
  expect(chainBlock(hashAt(0), made[1]?.block ?? '')).toBe(hashAt(1))
  expect(judge(made.slice(1))).toEqual([[], [2n, 3n, 4n], 4n])
})

test('a changed, missing or foreign block is found once', () => {
  const [, second, third, fourth] = made as [DataBlock, DataBlock, DataBlock, DataBlock]
  expect(judge([{ ...second, block: third.block }, third, fourth])).toEqual([['proof_data_wrong:2'], [3n, 4n], 4n])
  expect(judge([third, fourth])).toEqual([['proof_data_wrong:3'], [4n], 4n])
})

test('the next header proves a block whose header has no fields', () => {
  expect(judge(made.slice(1, 3), [2n])).toEqual([[], [2n, 3n], 3n])
  expect(judge(made.slice(1, 3), [3n])).toEqual([[], [2n], 2n])
})

test('the first header of a later start is believed', () => {
  const { findings, proven } = judgeData(made.slice(2), undefined, statedBut([]))
  expect([findings, proven.map(({ number }) => number)]).toEqual([[], [3n, 4n]])
})

let server: Awaited<ReturnType<typeof startHeaderServer>>
let folder: string
beforeAll(async () => {
  server = await startHeaderServer()
  folder = await mkdtemp(join(tmpdir(), 'clearwell-watch-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

test('the ciphertext is stored once, also after a kill', async () => {
  const url = `${server.url}/api/proof/data.jsonl`
  const headers = await openHeaderStore(folder)
  const findings: Finding[] = []
  const raise = async (found: readonly Finding[]) => void findings.push(...found)
  for (const [index, { number, block }] of made.entries()) {
    const { text } = await signedLine({
      ...{ domain: { chainId: 97, vault: `0x${'7a'.repeat(20)}` }, number, tokens: [] },
      ...{ cursor: { number, hash: HASH, time: 1 }, change: (each) => ({ ...each, dataHash: hashAt(index) }) },
    })
    await headers.add([parseHeaderLine(text)], 0)
    server.state.data.push(JSON.stringify({ number: `${number}`, block }))
    const store = await openDataStore(folder, () => 0)
    await store.follow(url, headers, raise)
    await store.close()
  }
  await headers.close()
  const [name = ''] = (await readdir(folder)).filter((each) => each.startsWith('data-'))
  const stored = (await readFile(join(folder, name), 'utf8')).split('\n').slice(0, -1)
  expect([findings, stored.map((line) => JSON.parse(line).block)]).toEqual([[], made.map(({ block }) => block)])
})

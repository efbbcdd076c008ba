import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addPartitions, readPartitions } from '@clearwell/ledger/partitions'
import { readOneMoment } from '@clearwell/ledger/reads'
import { ASSET_IDS } from '@clearwell/money/asset'
import { verifyArchive } from '@clearwell/verify/verify-archive'
import { verifyLedger } from '@clearwell/verify/verify-ledger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportLedger } from '../domain/proofs/export-ledger.ts'
import { makeDueHeader } from '../domain/proofs/make-headers.ts'
import {
  OPERATOR,
  openProofLedger,
  type ProofLedger,
  ROOT_KEY,
  SETTINGS,
} from '../domain/proofs/testing/proof-ledger.ts'
import { archivePartition } from './archive.ts'

const HEAD = { chainId: 97, vault: SETTINGS.domain.vault, operator: OPERATOR, tokens: SETTINGS.tokens }
const COMMAND = join(import.meta.dirname, '../../../../packages/verify/bin/clearwell-verify.mjs')
/** Entries in a partition. */
const SIZE = 25
const ALTERED = 200

let folder: string
let ledger: ProofLedger
const files: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-archive-'))
  ledger = await openProofLedger()
  await ledger.db.script(
    `drop table entries_0, entries_20000000, entries_40000000, owner_postings_0, owner_postings_20000000, owner_postings_40000000;
     select add_ledger_partitions(${SIZE})`,
  )
  const server = ledger.server()
  for (const round of [0, 1, 2]) {
    for (const what of ['deposit', 'lock', 'pay', 'deposit', 'collateral'] as const)
      for (const [user, asset] of ASSET_IDS.entries())
        await ledger.run({ what, user, asset, units: 10n ** BigInt(20 - round) })
    await makeDueHeader(server, { force: true })
    await addPartitions(ledger.db, SIZE)
  }
})
afterAll(async () => {
  await ledger.close()
  await rm(folder, { recursive: true, force: true })
})

const pathOf = (first: number) => join(folder, `${first}.jsonl`)
const archive = (first: number, path = pathOf(first)) =>
  archivePartition(ledger.db, { first: BigInt(first), path, json: true })
const linesOf = (text: string) => text.split('\n').slice(0, -1)
const sources = () => files.map((text, index) => ({ name: `archive ${index}`, lines: linesOf(text) }))

async function exportFrom(first: bigint): Promise<string[]> {
  const lines: string[] = []
  await readOneMoment(ledger.db, async (tx) => {
    for await (const line of exportLedger(tx, HEAD, first)) lines.push(line.slice(0, -1))
  })
  return lines
}

test('full partitions become archives with counts and a closing hash', async () => {
  const partitions = await readPartitions(ledger.db)
  expect(partitions).toEqual([
    { first: 1n, last: 24n, isSealed: true },
    { first: 25n, last: 49n, isSealed: true },
    { first: 50n, last: 74n, isSealed: false },
  ])
  for (const first of [1, 25]) {
    const { text, faults } = await archive(first)
    expect(faults).toEqual([])
    const [entry] = await ledger.db.query<{ hash: string; postings: bigint }>(
      `select '0x' || encode(hash, 'hex') as hash, (select count(*) from postings where entry_seq between $1 and $2) as postings
       from entries where seq = $2`,
      [first, first === 1 ? 24 : 49],
    )
    expect(JSON.parse(text)).toMatchObject({ hash: entry?.hash, postings: Number(entry?.postings) })
    files.push(await readFile(pathOf(first), 'utf8'))
  }
})

test('archives and an export prove one chain with its headers', async () => {
  const verdict = await verifyLedger(await exportFrom(50n), { rootKey: ROOT_KEY.address }, sources())
  const [tip] = await ledger.db.query<{ seq: bigint }>('select max(seq) as seq from entries')
  expect(verdict).toMatchObject({ valid: true, counts: { entries: Number(tip?.seq), headers: 3 } })

  const other = await exportFrom(50n)
  const head = JSON.parse(other[0]?.slice(65) ?? '') as { after: { hash: string } }
  const text = JSON.stringify({ ...head, after: { ...head.after, hash: `0x${'00'.repeat(32)}` } })
  const forged = [`${hash('sha256', text)} ${text}`, ...other.slice(1)]
  expect(await verifyLedger(forged, {}, sources()), 'another ledger').toMatchObject({
    valid: false,
    line: 1,
    fault: expect.stringContaining('follows another entry 49'),
  })

  const [, second] = sources()
  const without = await verifyLedger(await exportFrom(50n), {}, second ? [second] : [])
  expect(without).toMatchObject({ valid: false, file: 'archive 1', line: 1 })
  expect(await verifyLedger(await exportFrom(50n))).toMatchObject({ valid: false, line: 1 })
})

test('clearwell-verify names the file and the line of a fault', async () => {
  const [altered, ledgerFile] = [join(folder, 'altered.jsonl'), join(folder, 'ledger.jsonl')]
  await writeFile(altered, (files[1] ?? '').replace('"lock"', '"lick"'))
  await writeFile(ledgerFile, `${(await exportFrom(50n)).join('\n')}\n`)
  const verify = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  expect(verify('ledger', pathOf(1), pathOf(25), ledgerFile)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\d+ entries and 3 headers are right[\s\S]*\nwarning: no --vault, so/),
  })
  const [own, other] = [SETTINGS.domain.vault, `0x${'7b'.repeat(20)}`]
  expect(verify('ledger', pathOf(1), pathOf(25), ledgerFile, '--vault', other, '--vault', own)).toMatchObject({
    status: 0,
    stdout: expect.not.stringContaining('warning'),
  })
  expect(verify('ledger', pathOf(1), pathOf(25), ledgerFile, '--vault', other)).toMatchObject({
    status: 1,
    stdout: `line 1: the ledger is at the vault ${own}, and the last one given is ${other}\n`,
  })
  expect(verify('ledger', ledgerFile, '--vault', '0x12')).toMatchObject({
    status: 2,
    stderr: '--vault 0x12 is no address\n',
  })
  expect(verify('ledger', pathOf(1), altered, ledgerFile)).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/altered\.jsonl, line \d+: the line was changed/),
  })
  expect(verify('archive', pathOf(25))).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('entries 25 to 49'),
  })
})

test('each altered byte of an archive is found in its line', async () => {
  const [, text = ''] = files
  let seed = 20_261_129
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % below
  }
  for (let round = 0; round < ALTERED; round++) {
    const bytes = Buffer.from(text)
    const place = next(bytes.length - 1)
    const line = text.slice(0, place).split('\n').length
    bytes[place] = ((bytes[place] as number) + 1 + next(127)) % 128
    const verdict = await verifyArchive(linesOf(bytes.toString('latin1')))
    expect(verdict, `byte ${place}`).toMatchObject({ valid: false, line })
  }
})

test('a second call checks the file and leaves it', async () => {
  expect(await archive(25)).toMatchObject({ exitCode: 0 })
  expect(await readFile(pathOf(25), 'utf8')).toBe(files[1])

  await writeFile(pathOf(25), (files[1] ?? '').replace('"lock"', '"lick"'))
  expect(await archive(25)).toMatchObject({
    exitCode: 1,
    faults: [expect.stringMatching(/25\.jsonl, line \d+: the line was changed/)],
  })
  expect(await archive(25, pathOf(1))).toMatchObject({ exitCode: 1, faults: [expect.stringContaining('not 25 to 49')] })
})

test('a half-written file is written again', async () => {
  const path = join(folder, 'again.jsonl')
  await writeFile(`${path}.part`, (files[0] ?? '').slice(0, 500))
  expect(await archive(1, path)).toMatchObject({ exitCode: 0 })
  expect(await readFile(path, 'utf8')).toBe(files[0])
})

test('a partition in use and an unknown one are rejected', async () => {
  expect(await archive(50)).toMatchObject({ exitCode: 1, faults: [expect.stringContaining('is in use')] })
  expect(await archive(26)).toMatchObject({ exitCode: 1, faults: [expect.stringContaining('No partition begins')] })
})

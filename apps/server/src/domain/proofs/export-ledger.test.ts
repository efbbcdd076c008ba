import { readOneMoment } from '@clearwell/ledger/reads'
import { ASSET_IDS } from '@clearwell/money/asset'
import { verifyLedger } from '@clearwell/verify/verify-ledger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportLedger } from './export-ledger.ts'
import { makeDueHeader } from './make-headers.ts'
import { OPERATOR, openProofLedger, type ProofLedger, ROOT_KEY, SETTINGS, type Step } from './testing/proof-ledger.ts'

const HEAD = { chainId: 97, vault: SETTINGS.domain.vault, operator: OPERATOR, tokens: SETTINGS.tokens }
const NEW_VAULT = `0x${'7b'.repeat(20)}` as const
const MOVED = { vaults: [HEAD.vault, NEW_VAULT] }
const ALTERED = 200

let ledger: ProofLedger
let lines: string[]
beforeAll(async () => {
  ledger = await openProofLedger()
  const server = ledger.server()
  for (const round of [0, 1, 2]) {
    for (const what of ['deposit', 'lock', 'pay', 'collateral', 'fee', 'payout', 'swap'] as const)
      for (const [user, asset] of ASSET_IDS.entries())
        await ledger.run({ what, user, asset, units: 10n ** BigInt(20 - round) } satisfies Step)
    await makeDueHeader(server, { force: true })
  }
  lines = await exportAt(HEAD.vault)
})
afterAll(() => ledger.close())

test('an exported ledger is right, with its headers and signatures', async () => {
  const verdict = await verifyLedger(lines, { rootKey: ROOT_KEY.address })
  expect(verdict).toMatchObject({ valid: true, counts: { lines: lines.length, headers: 3 } })
})

test('another root key is found', async () => {
  const verdict = await verifyLedger(lines, { rootKey: `0x${'00'.repeat(20)}` })
  expect(verdict).toMatchObject({ valid: false, fault: expect.stringContaining('signature of another key') })
})

test('each of 200 altered bytes is found in its line', async () => {
  const text = `${lines.join('\n')}\n`
  let seed = 20_261_128
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % below
  }
  for (let round = 0; round < ALTERED; round++) {
    const bytes = Buffer.from(text)
    // The last byte ends the file.
    const place = next(bytes.length - 1)
    const line = text.slice(0, place).split('\n').length
    bytes[place] = ((bytes[place] as number) + 1 + next(127)) % 128
    const verdict = await verifyLedger(bytes.toString('latin1').split('\n').slice(0, -1))
    expect(verdict, `byte ${place}`).toMatchObject({ valid: false, line })
  }
}, 180_000)

test('a changed entry is found although its lines are hashed again', async () => {
  const index = lines.findIndex((line) => line.includes('"lock"'))
  const forged = await rehash(lines.map((line, at) => (at === index ? line.replace('"lock"', '"lick"') : line)))
  expect(await verifyLedger(forged)).toMatchObject({
    valid: false,
    line: index + 1,
    fault: expect.stringContaining('hash chain breaks at entry'),
  })
})

test('a forged total in a header is found', async () => {
  const index = lines.findLastIndex((line) => line.includes('"header"'))
  const forged = await rehash(
    lines.map((line, at) => (at === index ? line.replace(/"house":"\d/, '"house":"9') : line)),
  )
  expect(await verifyLedger(forged)).toMatchObject({
    valid: false,
    line: index + 1,
    fault: expect.stringContaining('has another hash'),
  })
})

test('only the last header may be unsigned', async () => {
  const headers = lines.flatMap((line, at) => (line.includes('"header"') ? [at] : []))
  const without = (index: number | undefined) =>
    rehash(lines.map((line, at) => (at === index ? line.replace(/"signature":"0x\w+"/, '"signature":null') : line)))
  expect(await verifyLedger(await without(headers[0]))).toMatchObject({
    valid: false,
    line: (headers[1] ?? 0) + 1,
    fault: expect.stringContaining('has no signature'),
  })
  expect(await verifyLedger(await without(headers.at(-1)))).toMatchObject({ valid: true })
})

test('another vault than the ledger’s is found', async () => {
  expect(await verifyLedger(lines, { vaults: [HEAD.vault.toUpperCase().replace('0X', '0x')] })).toMatchObject({
    valid: true,
  })
  const fault = `the ledger is at the vault ${HEAD.vault}, and the last one given is ${NEW_VAULT}`
  expect(await verifyLedger(lines, MOVED)).toEqual({ valid: false, line: 1, fault })
})

test('a ledger that has moved is right with all its vaults', async () => {
  ledger.clock.at = new Date(ledger.clock.at.getTime() + 60_000)
  await ledger.moveTo(NEW_VAULT)
  // Until the first header of the new vault, no leaf contains its counters.
  expect(await verifyLedger(await exportAt(NEW_VAULT), MOVED)).toMatchObject({ valid: true, counts: { headers: 3 } })
  const server = ledger.server(NEW_VAULT)
  for (const units of [5n, 7n]) {
    await ledger.run({ what: 'deposit', user: 0, asset: 'BNB', units })
    await makeDueHeader(server, { force: true })
  }
  const moved = await exportAt(NEW_VAULT)
  expect(await verifyLedger(moved, MOVED)).toMatchObject({ valid: true, counts: { headers: 5 } })

  // Only the user names the vaults: those of the file alone are not enough.
  const headers = moved.flatMap((line, at) => (line.includes('"header"') ? [at] : []))
  const isWrong = (at: number, fault: string) => ({
    ...{ valid: false, line: (headers[at] ?? 0) + 1 },
    fault: expect.stringContaining(fault),
  })
  expect(await verifyLedger(moved)).toMatchObject(isWrong(0, 'has another hash, or is of a vault that was not given'))
  const other = { vaults: [`0x${'7c'.repeat(20)}`, NEW_VAULT] }
  expect(await verifyLedger(moved, other)).toMatchObject(isWrong(0, 'has another hash'))
  const back = await rehash(moved.map((line) => line.replace(`"vault":"${NEW_VAULT}"`, `"vault":"${HEAD.vault}"`)))
  expect(await verifyLedger(back, { vaults: [NEW_VAULT, HEAD.vault] })).toMatchObject(
    isWrong(3, 'is of a vault that the ledger had left'),
  )

  // One digit of the first header after the move, with the hashes of all lines written again.
  const forge = (line: string) => line.replace(/"ledgerSeq":"\d/, (text) => `${text.slice(0, -1)}0`)
  const forged = await rehash(moved.map((line, at) => (at === headers[3] ? forge(line) : line)))
  expect(await verifyLedger(forged, MOVED)).toMatchObject(isWrong(3, 'has another hash'))
})

async function exportAt(vault: string): Promise<string[]> {
  const exported: string[] = []
  await readOneMoment(ledger.db, async (tx) => {
    for await (const line of exportLedger(tx, { ...HEAD, vault })) exported.push(line.slice(0, -1))
  })
  return exported
}

/** Writes the hash of each line again. */
async function rehash(of: readonly string[]): Promise<string[]> {
  let before = ''
  const hashed: string[] = []
  for (const line of of) {
    const text = line.slice(65)
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${before}${text}`))
    before = Buffer.from(digest).toString('hex')
    hashed.push(`${before} ${text}`)
  }
  return hashed
}

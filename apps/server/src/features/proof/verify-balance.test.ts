import { type Evidence, type Fault, type Kept, type StepName, verifyBalance } from '@clearwell/verify/verify-balance'
import { expect, test } from 'vitest'
import { addressOf, BOOK_KEY, type HonestCheck, honestCheck, signedHeader } from './testing/honest-check.ts'

const BOOKS = { number: '10', credits: [25n, 15n] }
const honest = await honestCheck(BOOKS)
const later = await honestCheck({ number: '12', credits: [25n, 15n, 2n] })

/** The check of `honest` as a browser keeps it. */
const KEPT: Kept = {
  ...{ number: '10', hash: honest.evidence.signed.hash, ledgerSeq: '2' },
  balances: [['available', 'USDT', '40']],
  assets: ['BNB', 'USDT'],
  signer: honest.evidence.keys.root[0] as string,
}

async function faultOf({
  evidence,
  lines,
}: HonestCheck): Promise<[StepName, Fault | 'unchecked' | 'absent'] | undefined> {
  const { steps } = await verifyBalance(evidence, lines)
  for (const step of steps)
    if (step.state !== 'right') return [step.name, step.state === 'wrong' ? step.fault : step.state]
  return undefined
}

/** The honest check with changed evidence. */
function changed(change: (evidence: Mutable<Evidence>) => void, of = honest): HonestCheck {
  const evidence = structuredClone(of.evidence)
  change(evidence)
  return { evidence, lines: of.lines }
}

// biome-ignore lint/suspicious/noExplicitAny: each case changes another field.
type Mutable<Value> = { -readonly [Key in keyof Value]: any }

test('honest books hold, with the balances after the rows', async () => {
  const { steps, rows, signer } = await verifyBalance(honest.evidence, honest.lines)
  expect(steps.map(({ state }) => state)).toEqual(['right', 'right', 'right', 'right', 'right'])
  expect(rows).toEqual({ postings: 2, balances: [['available', 'USDT', '40']], free: { BNB: '0', USDT: '40' } })
  expect(signer).toBe(KEPT.signer)
})

test.each<[string, (evidence: Mutable<Evidence>) => void, [StepName, Fault]]>([
  ['a second leaf', ({ mine }) => mine.leaves.push(mine.leaves[0]), ['leaves', 'leaves']],
  ['another place', ({ mine }) => (mine.leaves[1].index = 6), ['leaves', 'leaves']],
  ['an unknown asset', ({ mine }) => (mine.leaves[1].asset = 'DOGE'), ['leaves', 'leaves']],
  ['one unit more', ({ mine }) => (mine.leaves[1].free = '41'), ['path', 'path']],
  ['another counter', ({ mine }) => (mine.leaves[1].deposited_seen = '41'), ['path', 'path']],
  ['another neighbour', ({ mine }) => (mine.leaves[1].path[0].sum = '8'), ['path', 'path']],
  ['a short path', ({ mine }) => mine.leaves[1].path.pop(), ['path', 'path']],
  ['no path', ({ mine }) => delete mine.leaves[1].path, ['path', 'path']],
  ['a changed total', ({ signed }) => (signed.header.rtUsers = '1'), ['header', 'header']],
  ['the number of another header', ({ mine }) => (mine.number = '11'), ['header', 'header']],
  ['a changed newest header', ({ newest }) => (newest.header.rtUsers = '1'), ['header', 'header']],
  ['another vault', ({ domain }) => (domain.vault = `0x${'12'.repeat(20)}`), ['header', 'header']],
  ['an unpublished key', ({ keys }) => (keys.root = [`0x${'ab'.repeat(20)}`]), ['signature', 'signature']],
  ['no signature', ({ signed }) => (signed.signatures.root = '0x'), ['signature', 'signature']],
  ['another account', (evidence) => (evidence.account = `0x${'bb'.repeat(20)}`), ['path', 'path']],
])('%s is found in its step', async (_name, change, fault) => {
  expect(await faultOf(changed(change))).toEqual(fault)
})

const inPools = await honestCheck({ ...BOOKS, hasPositions: true })

test('pledges and loan orders hold with the balances', async () => {
  expect(await faultOf(inPools)).toBeUndefined()
})

// The leaves of two assets come first.
test.each<[string, (evidence: Mutable<Evidence>) => void, [StepName, Fault]]>([
  ['other shares', ({ mine }) => (mine.leaves[2].shares = '5'), ['path', 'path']],
  ['a pledge of another asset', ({ mine }) => (mine.leaves[2].asset = 'BNB'), ['path', 'path']],
  ['another debt', ({ mine }) => (mine.leaves[3].debt_shares = '8'), ['path', 'path']],
  ['other collateral', ({ mine }) => (mine.leaves[3].collateral = '1'), ['path', 'path']],
  ['another order', ({ mine }) => (mine.leaves[3].order_id = '0e'.repeat(16)), ['path', 'path']],
  ['another neighbour', ({ mine }) => (mine.leaves[3].path[0].hash = `0x${'08'.repeat(32)}`), ['path', 'path']],
  ['a position twice', ({ mine }) => mine.leaves.push(mine.leaves[3]), ['path', 'path']],
  ['another salt', ({ mine }) => (mine.leaves[2].salt = `0x${'5b'.repeat(32)}`), ['leaves', 'leaves']],
  ['an order that is left out', ({ mine }) => mine.leaves.pop(), ['rows', 'rows']],
])('%s of a position is found in its step', async (_name, change, fault) => {
  expect(await faultOf(changed(change, inPools))).toEqual(fault)
})

test('a server that shows other books than before is found', async () => {
  const kept = { ...later.evidence, kept: KEPT, again: honest.evidence.signed }
  expect(await faultOf({ ...later, evidence: kept })).toBeUndefined()
  const other = await signedHeader({ number: '10', ledgerSeq: '2', rtUsers: '9' })
  expect(await faultOf({ ...later, evidence: { ...kept, again: other } })).toEqual(['header', 'header_changed'])
  const ahead = { ...KEPT, number: '13' }
  expect(await faultOf({ ...later, evidence: { ...kept, kept: ahead } })).toEqual(['header', 'header_older'])
  const longer = { ...KEPT, ledgerSeq: '9' }
  expect(await faultOf({ ...later, evidence: { ...kept, kept: longer } })).toEqual(['header', 'header_older'])
})

test('a leaf that is gone is found', async () => {
  const without = await honestCheck({ number: '12', credits: [], hasLeaves: false })
  expect(await faultOf({ ...without, evidence: { ...without.evidence, kept: KEPT } })).toEqual(['leaves', 'leaf_gone'])
  expect(await faultOf(without)).toBeUndefined()
})

test('rows that leave money without a leaf are found', async () => {
  expect(await faultOf(await honestCheck({ ...BOOKS, hasLeaves: false }))).toEqual(['rows', 'rows'])
})

test('rows after a kept check begin with its balances', async () => {
  const books = { number: '12', credits: [25n, 15n, 2n] }
  const since = async (units: string) => {
    const check = await honestCheck(books, { from: '3', start: [['available', 'USDT', units]] })
    return { ...check, evidence: { ...check.evidence, kept: KEPT } }
  }
  expect(await faultOf(await since('40'))).toBeUndefined()
  const { evidence, lines } = await since('40')
  const forgotten = { ...KEPT, balances: [['available', 'USDT', '41']] as Kept['balances'] }
  expect(await faultOf({ lines, evidence: { ...evidence, kept: forgotten } })).toEqual(['rows', 'rows'])
})

test('rows may begin after an archive that is older than a year', async () => {
  const books = { number: '12', credits: [25n, 15n, 2n] }
  const cut = async (at: string, units = '40') => {
    const check = await honestCheck(books, {
      from: '3',
      start: [['available', 'USDT', units]],
      archived: { to: '2', at },
    })
    return { ...check, evidence: { ...check.evidence, from: '1' } }
  }
  const old = await cut('2028-12-31T00:00:00.000Z')
  expect(await faultOf(old)).toBeUndefined()
  expect((await verifyBalance(old.evidence, old.lines)).rows).toMatchObject({ postings: 1, archived: { to: '2' } })
  expect(await faultOf(await cut('2029-01-02T00:00:00.000Z'))).toEqual(['rows', 'rows'])
  expect(await faultOf(await cut('2028-12-31T00:00:00.000Z', '39'))).toEqual(['rows', 'rows'])
  // A header of a later time that the last check saw has not even the archived entries.
  const again = await signedHeader({ number: '10', ledgerSeq: '2', cursorTime: 1_893_000_000 })
  const kept = { ...KEPT, hash: again.hash }
  expect(await faultOf({ ...old, evidence: { ...old.evidence, kept, again } })).toEqual(['rows', 'rows'])
})

test('rows that broke off are not checked, changed ones are wrong', async () => {
  const { evidence, lines } = honest
  expect(await faultOf({ evidence, lines: lines.slice(0, -1) })).toEqual(['rows', 'unchecked'])
  const forged = lines.map((line) => line.replace('"25"', '"26"'))
  expect(await faultOf({ evidence, lines: forged })).toEqual(['rows', 'rows'])
  const { lines: others } = later
  expect(await faultOf({ evidence, lines: others })).toEqual(['rows', 'rows'])
})

test('a bookkeeper counts once its key is published', async () => {
  const { header } = honest.evidence.signed
  const signed = await signedHeader(header, BOOK_KEY)
  const by = (bookkeepers: string[]) =>
    faultOf(
      changed((evidence) =>
        Object.assign(evidence, { signed, newest: signed, keys: { ...evidence.keys, bookkeepers } }),
      ),
    )
  expect(await by([])).toBeUndefined()
  expect(await by([addressOf(BOOK_KEY)])).toBeUndefined()
  expect(await by([`0x${'ab'.repeat(20)}`])).toEqual(['signature', 'bookkeeper'])
})

test('the key of the last check still counts', async () => {
  const evidence = { ...later.evidence, keys: { root: [`0x${'ab'.repeat(20)}`], bookkeepers: [] }, kept: KEPT }
  expect(await faultOf({ ...later, evidence })).toBeUndefined()
})

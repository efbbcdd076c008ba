import { type Header, hashHeader } from '@clearwell/proofs/header'
import { expect, test } from 'vitest'
import { NO_HASH } from './books.ts'
import {
  type Followed,
  faultOfChain,
  faultOfCursor,
  faultOfEntry,
  faultOfFigures,
  faultOfHash,
  faultOfRt,
} from './header-checks.ts'
import type { AssetFields, HeaderFields, LedgerHead } from './ledger-lines.ts'

const HASH = `0x${'11'.repeat(32)}`
const BNB = `0x${'00'.repeat(20)}`
const RT = `0x${'5254'.padStart(40, '0')}`
const HEAD: LedgerHead = {
  chainId: 97,
  vault: `0x${'7a'.repeat(20)}`,
  operator: `0x${'0e'.repeat(20)}`,
  tokens: { BNB, RT },
  depth: 20,
}
const FIGURES: AssetFields = {
  ...{ token: BNB, root: HASH, users: '5', lending: '1', payouts: '2', house: '3', locked: '4' },
  ...{ depositedSeen: '9', paidSeen: '8', exitedSeen: '6', payoutPaidSeen: '7' },
}
const HEADER: HeaderFields = {
  ...{ number: '8', previous: HASH, ledgerSeq: '20', entryHash: HASH, cursorBlock: '30', cursorHash: HASH },
  ...{ cursorTime: 1_000_000, positionsRoot: NO_HASH, pools: NO_HASH, rules: NO_HASH, boxDay: 0, boxRoot: NO_HASH },
  ...{ dataHash: NO_HASH, depth: 20, rtRoot: HASH, rtUsers: '6', assets: [FIGURES] },
}
const BEFORE: Followed = {
  ...{ number: 7n, hash: HASH, ledgerSeq: 20n, dataHash: NO_HASH, cursorBlock: 30n, cursorTime: 1_000_000 },
}
const OWN = {
  ...{ asset: 'BNB', root: HASH, totals: { users: 5n, lending: 1n, payouts: 2n, house: 3n, locked: 4n } },
  ...{ counters: { deposited: 9n, paid: 8n, exited: 6n }, payoutPaid: 7n },
}

test.each<[Partial<Followed>, RegExp]>([
  [{ number: 8n }, /the number does not follow header 8/],
  [{ hash: NO_HASH }, /does not name header 7/],
  [{ ledgerSeq: 21n }, /the last entry is older/],
  [{ cursorBlock: 31n }, /the watcher's block is older/],
  [{ cursorTime: 1_000_001 }, /the watcher's block is older/],
])('finds a header that does not follow %o', (before, message) => {
  expect(faultOfChain(HEADER, BEFORE)).toBeUndefined()
  expect(faultOfChain(HEADER, { ...BEFORE, ...before })).toMatch(message)
})

test('finds another hash, chain or vault', () => {
  const { number, ledgerSeq, cursorBlock, rtUsers, assets, ...rest } = HEADER
  const figures = assets.map(({ token, root, ...amounts }) => {
    const units = Object.entries(amounts).map(([name, text]) => [name, BigInt(text)])
    return { token, root, ...Object.fromEntries(units) }
  })
  const [big, block, seq, rt] = [number, cursorBlock, ledgerSeq, rtUsers].map(BigInt)
  const fields = { ...rest, number: big, cursorBlock: block, ledgerSeq: seq, rtUsers: rt, assets: figures }
  const hash = hashHeader(fields as unknown as Header, { chainId: 97, vault: HEAD.vault as `0x${string}` })
  expect(faultOfHash(HEADER, hash, HEAD)).toBeUndefined()
  expect(faultOfHash({ ...HEADER, boxDay: 1 }, hash, HEAD)).toBe('the header has another hash')
  expect(faultOfHash(HEADER, hash, { ...HEAD, chainId: 56 })).toBe('the header has another hash')
  expect(faultOfHash(HEADER, hash, { ...HEAD, vault: BNB })).toBe('the header has another hash')
})

test('finds another last entry', () => {
  expect(faultOfEntry(HEADER, { seq: 20n, hash: HASH })).toBeUndefined()
  expect(faultOfEntry(HEADER, { seq: 21n, hash: HASH })).toMatch(/another last entry/)
  expect(faultOfEntry(HEADER, { seq: 20n, hash: NO_HASH })).toMatch(/another last entry/)
})

test('finds a cursor of another block, or an hour old', () => {
  const block = { hash: HASH, timeS: 1_000_000 }
  expect(faultOfCursor(HEADER, block, 1_003_599_999)).toBeUndefined()
  expect(faultOfCursor(HEADER, block, 1_003_600_000)).toMatch(/an hour old/)
  expect(faultOfCursor(HEADER, block, undefined)).toBeUndefined()
  expect(faultOfCursor(HEADER, { ...block, hash: NO_HASH }, undefined)).toMatch(/is another one/)
  expect(faultOfCursor(HEADER, { ...block, timeS: 1 }, undefined)).toMatch(/has another time/)
})

test.each(Object.keys(FIGURES))('finds another %s', (name) => {
  expect(faultOfFigures(HEADER, [OWN], HEAD)).toBeUndefined()
  const assets = [{ ...FIGURES, [name]: '77' }]
  expect(faultOfFigures({ ...HEADER, assets }, [OWN], HEAD)).toMatch(
    name === 'token' ? /BNB once/ : `as ${name} of BNB`,
  )
})

test('finds an asset that is missing or twice', () => {
  expect(faultOfFigures({ ...HEADER, assets: [] }, [OWN], HEAD)).toMatch(/other assets/)
  expect(faultOfFigures({ ...HEADER, assets: [FIGURES, FIGURES] }, [OWN, OWN], HEAD)).toMatch(/BNB once/)
})

test('finds another tree of RT', () => {
  const own = { root: HASH, users: 6n }
  expect(faultOfRt(HEADER, own, HEAD)).toBeUndefined()
  expect(faultOfRt(HEADER, { ...own, root: NO_HASH }, HEAD)).toMatch(/another root of RT/)
  expect(faultOfRt(HEADER, { ...own, users: 7n }, HEAD)).toMatch(/another total of RT/)
  expect(faultOfRt({ ...HEADER, depth: 19 }, own, HEAD)).toMatch(/depth 20, not 19/)
})

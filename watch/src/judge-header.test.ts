import { expect, test } from 'vitest'
import { type HeaderLine, parseHeaderLine } from './header-lines.ts'
import { type HeaderFacts, judgeHeader, judgeRoot, judgeTail, type Known } from './judge-header.ts'
import { BOOK_KEY, OTHER_KEY, ROOT_KEY, signedLine } from './testing/signed-header.ts'

const HASH = (digits: string) => `0x${digits.repeat(32)}` as const
const TOKEN = `0x${'aa'.repeat(20)}` as const
const AT_S = 1_700_000_000
const { text } = await signedLine({
  ...{ domain: { chainId: 97, vault: `0x${'7a'.repeat(20)}` }, number: 7n, previous: HASH('06'), tokens: [TOKEN] },
  cursor: { number: 100n, hash: HASH('cc'), time: AT_S },
})
const line = parseHeaderLine(text)
const fields = (line.signed as NonNullable<HeaderLine['signed']>).fields
const good: HeaderFacts = {
  ...{ line, source: 'a server', computedHash: line.hash },
  ...{ rootSigner: ROOT_KEY.address, bookSigner: BOOK_KEY.address },
}
const keys = [
  { role: 'root key', address: ROOT_KEY.address.toLowerCase(), activeAt: 0 },
  { role: 'bookkeeper', address: BOOK_KEY.address.toLowerCase(), activeAt: 0 },
]
const known: Known = {
  ...{ same: undefined, newest: { number: 6n, hash: HASH('06') }, fields: { ...fields, number: '6' } },
  ...{ keys, clock: 1_000, nowS: AT_S + 60, vault: 'same', mayMove: false },
}
const link: HeaderFacts = { line: { number: 7n, previous: HASH('06'), hash: HASH('07') }, source: 'a server' }
const withAsset = (change: object) => ({
  ...good,
  line: { ...line, signed: { ...line.signed, fields: { ...fields, assets: [{ ...fields.assets[0], ...change }] } } },
})

test.each<[string, object, Partial<Known>, string[], boolean]>([
  ['a header that follows', good, {}, [], true],
  ['the first one', good, { newest: undefined, fields: undefined }, [], true],
  ['the stored one again', good, { same: line.hash }, [], true],
  ['another one with its number', good, { same: HASH('0f') }, ['forked_header'], false],
  ['a gap before it', good, { newest: { number: 6n, hash: HASH('0f') } }, ['header_gap'], true],
  ['a number below the newest', good, { newest: { number: 8n, hash: HASH('06') } }, ['header_gap'], true],
  ['another hash than its fields', { ...good, computedHash: HASH('0e') }, {}, ['hash_wrong'], false],
  ['fields without a hash', { ...good, computedHash: undefined }, {}, ['hash_wrong'], false],
  ['another root key', { ...good, rootSigner: OTHER_KEY.address }, {}, ['signature_wrong'], false],
  ['a bookkeeper as root key', { ...good, rootSigner: BOOK_KEY.address }, {}, ['signature_wrong'], false],
  ['no bookkeeper', { ...good, bookSigner: undefined }, {}, ['signature_wrong'], false],
  ['a key that does not count yet', good, { clock: -1 }, ['signature_wrong', 'signature_wrong'], false],
  [
    'a key removed before it',
    good,
    { keys: keys.map((key) => ({ ...key, removedAtS: AT_S - 1 })) },
    ['signature_wrong', 'signature_wrong'],
    false,
  ],
  ['a key removed after it', good, { keys: keys.map((key) => ({ ...key, removedAtS: AT_S })) }, [], true],
  ['an older entry', good, { fields: { ...fields, ledgerSeq: '1' } }, ['header_falls'], true],
  ['an older block', good, { fields: { ...fields, cursorBlock: '101' } }, ['header_falls'], true],
  [
    'a lower counter',
    good,
    { fields: withAsset({ paidSeen: '1' }).line.signed.fields as never },
    ['header_falls'],
    true,
  ],
  [
    'a lower counter at the next vault',
    good,
    { fields: withAsset({ paidSeen: '1' }).line.signed.fields as never, vault: 'next' },
    [],
    true,
  ],
  [
    'an older block at the next vault',
    good,
    { fields: { ...fields, cursorBlock: '101' }, vault: 'next' },
    ['header_falls'],
    true,
  ],
  ['the hash for a vault that was left', good, { vault: 'left' }, ['header_of_left'], false],
  ['no fields where the ledger may move', link, { mayMove: true }, [], false],
  ['no fields while young', link, {}, ['header_withheld'], false],
  ['no fields when old', link, { nowS: AT_S + 90 * 86_400 }, [], false],
  ['no fields before the first with them', link, { fields: undefined }, [], false],
])('a header with %s is judged', (_, facts, change, codes, isSigned) => {
  const verdict = judgeHeader(facts as HeaderFacts, { ...known, ...change })
  expect([verdict.findings.map(({ code }) => code), verdict.isSigned]).toEqual([codes, isSigned])
})

const [first, second] = [link.line, { ...link.line, number: 8n, previous: link.line.hash, hash: HASH('08') }]
test.each<[string, HeaderLine[], Partial<Parameters<typeof judgeTail>[2]>, bigint[]]>([
  ['before a header of the same vault', [first, second], { vault: 'same' }, [7n, 8n]],
  ['right before the move', [first], {}, []],
  ['before the last one of a vault', [first, second], {}, [7n]],
  ['that the header after the move does not name', [first], { isNamed: false }, [7n]],
  ['when they are old', [first], { vault: 'same', nowS: AT_S + 90 * 86_400 }, []],
])('headers without fields %s are judged', (_, tail, change, numbers) => {
  const next = { vault: 'next' as const, isNamed: true, fields, nowS: AT_S + 60 }
  const findings = judgeTail(tail, 'a server', { ...next, ...change })
  expect(findings.map(({ code, key }) => [code, BigInt(key.split(':')[1] ?? '')])).toEqual(
    numbers.map((number) => ['header_withheld', number]),
  )
})

test('evidence has the whole header and can be written as JSON', () => {
  const [finding] = judgeHeader(good, { ...known, same: HASH('0f') }).findings
  const { tx_hash: _, ...published } = JSON.parse(text)
  expect(JSON.parse(JSON.stringify(finding?.facts))).toEqual({
    header: published,
    stored: HASH('0f'),
    source: 'a server',
  })
})

test('one wrong signer has one key, however many headers', () => {
  const wrong = { ...good, bookSigner: OTHER_KEY.address }
  const next = { ...wrong, line: { ...line, number: 8n } }
  const keyOf = (facts: HeaderFacts) => judgeHeader(facts, known).findings[0]?.key
  expect(keyOf(wrong)).toBe(keyOf(next))
})

test.each([
  ['shown with its hash', { same: HASH('01'), newest: 9n, nowS: 0 }, 'known'],
  ['shown with another hash', { same: HASH('02'), newest: 9n, nowS: 0 }, 'root_denied'],
  ['not shown, while later ones are', { same: undefined, newest: 9n, nowS: 0 }, 'root_denied'],
  ['newer than what the sources show', { same: undefined, newest: 4n, nowS: 3_599 }, 'waiting'],
  ['not shown for an hour', { same: undefined, newest: 4n, nowS: 3_600 }, 'root_denied'],
  ['not shown by silent sources', { same: undefined, newest: undefined, nowS: 3_600 }, 'root_denied'],
])('a root that is %s is judged', (_, of, expected) => {
  const verdict = judgeRoot({ number: 5n, hash: HASH('01'), postedAtS: 0 }, of)
  expect(typeof verdict === 'string' ? verdict : verdict.code).toBe(expected)
})

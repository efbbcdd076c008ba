import { encodeHeader } from '@clearwell/proofs/header'
import { expect, test } from 'vitest'
import { encodeHeader as encodeOwn, parseHeaderLine, toJson } from './header-lines.ts'
import { signedLine } from './testing/signed-header.ts'

const HASH = `0x${'cc'.repeat(32)}` as const
const made = await signedLine({
  ...{ domain: { chainId: 97, vault: `0x${'7a'.repeat(20)}` }, number: 7n, tokens: [`0x${'aa'.repeat(20)}`] },
  cursor: { number: 100n, hash: HASH, time: 1_700_000_000 },
  change: (header) => ({ ...header, rtUsers: 2n ** 128n - 1n, boxDay: 20_000 }),
})

test('the words of a header are those that the product posts', () => {
  const { signed } = parseHeaderLine(made.text)
  expect(signed && encodeOwn(signed.fields)).toBe(encodeHeader(made.header))
})

test('a stored line is read again as it was', () => {
  const line = parseHeaderLine(made.text)
  expect(parseHeaderLine(JSON.stringify(toJson(line)))).toEqual(line)
  const link = parseHeaderLine(JSON.stringify({ number: '3', previous: HASH, hash: HASH, extra: 1 }))
  expect(toJson(link)).toEqual({ number: '3', previous: HASH, hash: HASH })
})

const changed = (change: (value: Record<string, object>) => object) => JSON.stringify(change(JSON.parse(made.text)))
test.each<[string, string]>([
  ['no JSON', '{'],
  ['no object', 'null'],
  ['no hash', '{"number":"3"}'],
  ['a number as a number', changed((line) => ({ ...line, number: 7 }))],
  ['a number with a zero before it', changed((line) => ({ ...line, number: '07' }))],
  ['another number in its fields', changed((line) => ({ ...line, number: '8' }))],
  ['a short signature', changed((line) => ({ ...line, signatures: { root: '0x12', bookkeeper: null } }))],
  ['a missing field', changed(({ header, ...line }) => ({ ...line, header: { ...header, pools: undefined } }))],
  ['a negative time', changed(({ header, ...line }) => ({ ...line, header: { ...header, cursorTime: -1 } }))],
  ['assets that are no list', changed(({ header, ...line }) => ({ ...line, header: { ...header, assets: {} } }))],
  [
    'a hundred assets',
    changed(({ header, ...line }) => ({ ...line, header: { ...header, assets: Array(100).fill({}) } })),
  ],
])('a line with %s is rejected', (_, text) => {
  expect(() => parseHeaderLine(text)).toThrow()
})

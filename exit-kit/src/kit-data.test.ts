import { expect, test } from 'vitest'
import { joinKitData, readKitData, UnknownFile } from './kit-data.ts'
import { ALICE, CHAIN_ID, sampleData, sampleHeader, VAULT } from './testing/sample-headers.ts'

const [first, second] = [await sampleHeader(1, { BNB: 5n }), await sampleHeader(2, { BNB: 7n })]
const { posted, ...signed } = { ...first.signed, posted: undefined }
const lineHash = 'ab'.repeat(32)

test.each([
  ['the response of a bookkeeper', JSON.stringify({ data: { ...first.mine, header: signed } })],
  ['a check that the app has kept', JSON.stringify({ checkedAt: '', signed, mine: first.mine, balances: [] })],
  [
    'lines of an export',
    [
      { chainId: CHAIN_ID, vault: VAULT, account: ALICE, from: '1', start: [] },
      { posting: ['1', 0, 'deposit', '', 'available', 'BNB', '5', '5'] },
      { header: signed.header, hash: signed.hash, signature: signed.signatures.root },
      ...first.mine.leaves.map((leaf) => ({ leaf })),
      { end: 4 },
    ]
      .map((line) => `${lineHash} ${JSON.stringify(line)}`)
      .join('\n'),
  ],
])('reads header and paths from %s', (_, text) => {
  const { headers, paths } = readKitData(text)
  expect(headers.map(({ number, hash }) => [number, hash])).toEqual([['1', first.signed.hash]])
  expect(paths).toEqual([first.mine])
})

test('an export followed by headers keeps its paths at its own header', () => {
  const header = ({ signed: { header, hash, signatures } }: typeof first) => ({
    header,
    hash,
    signature: signatures.root,
  })
  const lines = [
    header(first),
    ...first.mine.leaves.map((leaf) => ({ leaf })),
    { end: 4 },
    header(first),
    header(second),
  ]
  const { headers, paths } = readKitData(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  expect(headers.map(({ number }) => number)).toEqual(['1', '2'])
  expect(paths).toEqual([first.mine])
})

test('reads when a bookkeeper saw the header posted', () => {
  const mine = { ...first.mine, posted_at: '2026-11-01T12:00:00.000Z', signed }
  expect(readKitData(JSON.stringify(mine)).headers.map(({ postedAt }) => postedAt)).toEqual([1_793_534_400])
})

test('reads the domain and the account of an export', () => {
  expect(sampleData([first])).toMatchObject({ chainId: CHAIN_ID, vault: VAULT, account: ALICE })
})

test('reads a file of headers and leaves out those without fields', () => {
  const lines = [first.signed, { number: '3', previous: lineHash, hash: lineHash }, second.signed]
  const { headers, paths } = readKitData(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  expect(headers.map(({ number }) => number)).toEqual(['1', '2'])
  expect(paths).toEqual([])
})

test('joins paths and headers of several files', () => {
  const { headers, paths } = joinKitData(sampleData([first]), sampleData([second], [first]))
  expect(headers.map(({ number }) => number)).toEqual(['1', '2'])
  expect(paths.map(({ number }) => number)).toEqual(['1', '2'])
})

test.each(['', '{}', '[1]', 'no json', `{"number":"3","hash":"${lineHash}"}`])('rejects the file %j', (text) => {
  expect(() => readKitData(text)).toThrow(UnknownFile)
})

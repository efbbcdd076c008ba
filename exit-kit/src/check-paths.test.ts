import { expect, test } from 'vitest'
import { checkPaths } from './check-paths.ts'
import { ALICE, bookkeeper, CHAIN_ID, rootKey, sampleHeader, USDT, VAULT } from './testing/sample-headers.ts'

const domain = { chainId: CHAIN_ID, vault: VAULT, account: ALICE }
const { signed, mine } = await sampleHeader(1, { BNB: 5n, USDT: 40n })

test('proves each leaf and names both signers', async () => {
  const check = await checkPaths(mine, signed, domain)
  expect(check.faults).toEqual([])
  expect(check.leaves.map(({ leaf, token, index }) => [leaf.free, token, index])).toEqual([
    ['5', '0x0000000000000000000000000000000000000000', 0],
    ['40', USDT, 1],
  ])
  expect([check.rootKey, check.bookkeeper]).toEqual([rootKey, bookkeeper].map((key) => key.address.toLowerCase()))
})

const [leaf, ...others] = mine.leaves as [(typeof mine.leaves)[number], ...typeof mine.leaves]
const with0 = (changed: object) => ({ ...mine, leaves: [{ ...leaf, ...changed }, ...others] })

test.each([
  ['a larger amount', with0({ free: '6' }), 'path'],
  ['another place', with0({ index: leaf.index + 2 }), 'path'],
  ['a shorter path', with0({ path: leaf.path.slice(1) }), 'path'],
  ['another salt', with0({ salt: `0x${'5b'.repeat(32)}` }), 'path'],
])('finds the fault of %s', async (_, changed, fault) => {
  const check = await checkPaths(changed, signed, domain)
  expect(check.faults).toEqual([fault])
  expect(check.leaves.map(({ leaf: { asset } }) => asset)).toEqual(['USDT'])
})

test.each([
  ['of another vault', { ...domain, vault: ALICE }, signed, ['hash']],
  ['with another figure', domain, { ...signed, header: { ...signed.header, number: '2' } }, ['hash']],
  ['without a root key', domain, { ...signed, signatures: { ...signed.signatures, root: '' } }, ['root_signature']],
  [
    'without a bookkeeper',
    domain,
    { ...signed, signatures: { ...signed.signatures, bookkeeper: null } },
    ['bookkeeper_signature'],
  ],
])('finds the fault of a header %s', async (_, of, header, faults) => {
  expect((await checkPaths(mine, header, of)).faults).toEqual(faults)
})

import { nativeAsset, type RootVoucher } from '@clearwell/vault/abi/withdrawal-typed-data'
import { expect, test } from 'vitest'
import { BOOK_ACCOUNT, headerWith, ROOT_ACCOUNT, ROOT_KEYS, signRoot } from './testing/signed-root.ts'
import { findRootFault, type SignedRoot } from './voucher-root.ts'

const of = { chainId: 31337, vault: `0x${'c'.repeat(40)}` } as const
const voucher: RootVoucher = {
  ...{ account: `0x${'a'.repeat(40)}`, asset: nativeAsset, amount: 400n, nonce: 1n, deadline: 2n, root: 9n },
}
const HEADER = headerWith({ number: 9n, ledgerSeq: 20n, locked: 400n })

const faultOf = (root: SignedRoot, { entry = 20n, changes = {} as Partial<RootVoucher> } = {}) =>
  findRootFault({ ...voucher, ...changes }, { root, entry }, { ...of, keys: ROOT_KEYS })

test('a root that holds the lock and has both signatures serves', async () => {
  const root = await signRoot(HEADER, of)
  expect(await faultOf(root)).toBeUndefined()
  expect(await faultOf(root, { entry: 3n })).toBeUndefined()
})

test('no root, or another one, gets no signature', async () => {
  const root = await signRoot(HEADER, of)
  expect(await findRootFault(voucher, undefined, { ...of, keys: ROOT_KEYS })).toBe('no_root')
  expect(await faultOf(root, { changes: { root: 8n } })).toBe('another_root')
})

test('a root before the lock gets no signature', async () => {
  const root = await signRoot(HEADER, of)
  expect(await faultOf(root, { entry: 21n })).toBe('lock_not_held')
  expect(await faultOf(root, { entry: 0n })).toBe('lock_not_held')
  expect(await faultOf(root, { changes: { amount: 401n } })).toBe('lock_not_held')
  expect(await faultOf(root, { changes: { asset: `0x${'d'.repeat(40)}` } })).toBe('lock_not_held')
})

test('a root without the signature of each key gets none', async () => {
  expect(await faultOf(await signRoot(HEADER, of, { root: BOOK_ACCOUNT }))).toBe('not_signed_by_root_key')
  expect(await faultOf(await signRoot(HEADER, of, { book: ROOT_ACCOUNT }))).toBe('not_signed_by_bookkeeper')
  const root = await signRoot(HEADER, of)
  expect(await faultOf({ ...root, bookSignature: '0x12' })).toBe('not_signed_by_bookkeeper')
  expect(await faultOf({ ...root, header: { ...HEADER, ledgerSeq: 30n } })).toBe('not_signed_by_root_key')
  expect(await faultOf(await signRoot(HEADER, { ...of, chainId: 97 }))).toBe('not_signed_by_root_key')
})

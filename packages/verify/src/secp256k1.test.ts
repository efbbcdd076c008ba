import { bytesToHex, keccak256, numberToHex, toBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { recoverSigner } from './secp256k1.mjs'

const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const G_X = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n

test('the signer is the one of another implementation', async () => {
  for (let key = 1; key <= 20; key++) {
    const account = privateKeyToAccount(keccak256(toBytes(`key ${key}`)))
    const hash = keccak256(toBytes(`message ${key}`))
    const signature = await account.sign({ hash })
    expect(recoverSigner(hash, signature)).toBe(account.address.toLowerCase())
    expect(recoverSigner(keccak256(hash), signature)).not.toBe(account.address.toLowerCase())
  }
})

// With these the signature's point is the generator or its negative, so both summands are on one line through zero.
test.each([
  ['1', 27, 1n],
  ['-1', 28, N - 1n],
])('a signature by the nonce %s is read', (_, v, nonce) => {
  const key = 5n
  const hash = 7n
  // The inverse of 1 and of -1 is the number itself.
  const s = (((hash + G_X * key) % N) * nonce) % N
  const signature = bytesToHex(Uint8Array.from([...toBytes(G_X), ...toBytes(s, { size: 32 }), v]))
  const signer = privateKeyToAccount(numberToHex(key, { size: 32 })).address
  expect(recoverSigner(numberToHex(hash, { size: 32 }), signature)).toBe(signer.toLowerCase())
})

test.each([
  ['r of zero', 0n, 1n, 27],
  ['r above the order', N, 1n, 27],
  ['s of zero', G_X, 0n, 27],
  ['s above the order', G_X, N, 27],
  ['v of another kind', G_X, 1n, 29],
  ['r without a point', 5n, 1n, 27],
])('%s is no signature', (_, r, s, v) => {
  const signature = bytesToHex(Uint8Array.from([...toBytes(r, { size: 32 }), ...toBytes(s, { size: 32 }), v]))
  expect(recoverSigner(numberToHex(7n, { size: 32 }), signature)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { publishProofKeys } from './proof.config.ts'

type Given = Parameters<typeof publishProofKeys>[0]
const KEY = `0x${'00'.repeat(31)}01`
/** The address of the key 1. */
const ADDRESS = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf'
const configWith = (env: object, { formerRootKeys = [], formerBookkeepers = [] }: Partial<Given['proof']> = {}) =>
  ({ env, proof: { formerRootKeys, formerBookkeepers } }) as unknown as Given

test('the present root key comes before those that it replaced', () => {
  const former = `0x${'AB'.repeat(20)}`
  expect(
    publishProofKeys(
      configWith({ proofs: true, proofRootKey: KEY, bookkeepers: [] }, { formerRootKeys: [former, ADDRESS] }),
    ),
  ).toEqual({
    proof_keys: { root: [ADDRESS, former.toLowerCase()], bookkeepers: [] },
  })
})

test('both configured bookkeepers are published with those before it', () => {
  const [bookkeeper, second, former] = ['cd', 'ef', 'AB'].map((byte) => `0x${byte.repeat(20)}`) as [
    string,
    string,
    string,
  ]
  const env = { proofs: true, proofRootKey: KEY, bookkeepers: [{ address: bookkeeper }, { address: second }] }
  expect(publishProofKeys(configWith(env, { formerBookkeepers: [former] })).proof_keys?.bookkeepers).toEqual([
    bookkeeper,
    second,
    former.toLowerCase(),
  ])
})

test('a server without headers publishes no keys', () => {
  expect(publishProofKeys(configWith({ proofs: false, proofRootKey: KEY }))).toEqual({ proof_keys: null })
})

import { expect, test } from 'vitest'
import { readEnvironment } from './environment.ts'
import { differingKeys, hashConfig, hashConfigKeys } from './hash-config.ts'

const config = {
  env: { signerKey: '0x1' },
  swap: { feeBps: 25, pools: [{ id: 'a' }, { id: 'b' }] },
  rt: { supply: '1' },
}

test('the hash depends on values, not on their order or the environment', () => {
  const reordered = { rt: { supply: '1' }, swap: { pools: [{ id: 'a' }, { id: 'b' }], feeBps: 25 }, env: {} }
  expect(hashConfig(reordered)).toBe(hashConfig(config))
  expect(hashConfig(config)).toMatch(/^[0-9a-f]{12}$/)
})

test('the hash differs with a value or the order of a list', () => {
  const others = [
    { ...config, rt: { supply: '2' } },
    { ...config, swap: { feeBps: 25, pools: [{ id: 'b' }, { id: 'a' }] } },
  ]
  for (const other of others) expect(hashConfig(other)).not.toBe(hashConfig(config))
})

const SECRET = `0x${'5'.repeat(64)}`
const variables = { PORT: '3001', HOST: '127.0.0.2', SIGNER_KEY: SECRET, PUBLIC_URL: 'https://app.example' }
const hashesOf = (changes: object, swap = config.swap) => {
  const whole = { ...config, swap, env: readEnvironment({ ...variables, ...changes }) }
  return hashConfigKeys(whole)
}

test('servers differ in values and secrets, not in their own addresses', () => {
  const own = hashesOf({})
  const others = [
    { SERVER_URL: 'http://10.0.0.2', PORT: '1', HOST: '', METRICS_PORT: 'off', CHAIN_RPC_URL: 'http://a' },
    { SIGNER_KEY: `0x${'6'.repeat(64)}`, PUBLIC_URL: 'https://other.example' },
    { SERVER_KEY: SECRET },
  ].map((changes) => differingKeys(own, hashesOf(changes)))
  expect(others).toEqual([[], ['PUBLIC_URL', 'SIGNER_KEY'], ['SERVER_KEY']])
  const swap = { feeBps: 26, pools: [...config.swap.pools, { id: 'c' }] }
  expect(differingKeys(own, hashesOf({}, swap))).toEqual(['swap.feeBps', 'swap.pools'])
})

test('no hash repeats a value or a secret', () => {
  const text = JSON.stringify(hashesOf({ SERVER_KEY: SECRET }))
  expect(text).not.toMatch(/5{8}|app\.example/)
  const { SIGNER_KEY, SERVER_KEY } = hashesOf({ SERVER_KEY: SECRET })
  expect(SIGNER_KEY).not.toBe(SERVER_KEY)
})

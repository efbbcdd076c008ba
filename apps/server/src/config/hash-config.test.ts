import { expect, test } from 'vitest'
import { hashConfig } from './hash-config.ts'

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

import { expect, test } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { refuseMissingVault, refuseWrongTokens } from './check-tokens.ts'
import { NodeError } from './node-error.ts'

const ADDRESS = `0x${'5'.repeat(40)}` as const
const custody = { tokens: [{ asset: 'USDT', address: ADDRESS, decimals: 18 }] } as const

/** A node whose contracts respond with these values. */
function nodeWith(values: Readonly<Record<string, unknown>>): Parameters<typeof refuseWrongTokens>[0] {
  return {
    async readContract({ functionName }: { functionName: string }) {
      if (values[functionName] === undefined) throw new Error('execution reverted')
      return values[functionName]
    },
  } as never
}

test('the start accepts a token whose decimals and symbol are configured', async () => {
  await refuseWrongTokens(nodeWith({ decimals: 18, symbol: 'USDT' }), custody)
})

test.each([
  [
    'decimals that differ from the contract',
    { decimals: 6, symbol: 'USDT' },
    `chain.tokens.USDT.decimals is 18, but the contract at ${ADDRESS} has 6: deposits would be credited with the wrong amount.`,
  ],
  [
    'a contract of another symbol',
    { decimals: 18, symbol: 'USD"C\n' },
    `The contract at chain.tokens.USDT.address (${ADDRESS}) has the symbol "USD\\"C\\n", not "USDT": it is another token.`,
  ],
  [
    'an address that is no token',
    {},
    `The token at chain.tokens.USDT.address (${ADDRESS}) cannot be read: decimals and symbol are compared before the start.`,
  ],
])('the start rejects %s', async (_name, values, sentence) => {
  await expect(refuseWrongTokens(nodeWith(values), custody)).rejects.toThrow(new ConfigError(sentence))
})

test('the start rejects an address of the vault without a contract', async () => {
  const client = (code: `0x${string}` | undefined) => ({ getCode: async () => code })
  const sentence = `The chain has no contract at chain.vault (${ADDRESS}): payments to it would be lost.`
  for (const code of [undefined, '0x'] as const)
    await expect(refuseMissingVault(client(code), { vault: ADDRESS })).rejects.toThrow(new ConfigError(sentence))
  await refuseMissingVault(client('0x60'), { vault: ADDRESS })
})

test('a node that does not answer says nothing about a token', async () => {
  const silence = new NodeError('the node did not answer', { isNoResponse: true })
  const silent = { readContract: () => Promise.reject(silence) } as never
  await expect(refuseWrongTokens(silent, custody)).rejects.toBe(silence)
})

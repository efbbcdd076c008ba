import { expect, test } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { refuseOtherKind, refuseUnfitTokens } from './check-vault-kind.ts'
import { NodeError } from './node-error.ts'

const VAULT = `0x${'5'.repeat(40)}` as const

/** A node whose contract has these functions. */
function nodeWith(...functions: readonly string[]): Parameters<typeof refuseOtherKind>[0] {
  return {
    async readContract({ functionName }: { functionName: string }) {
      if (!functions.includes(functionName)) throw new Error('execution reverted')
      return VAULT
    },
  } as never
}

test('the start accepts the kind of vault that is configured', async () => {
  await refuseOtherKind(nodeWith('keys'), { vault: VAULT, kind: 'exits' })
  await refuseOtherKind(nodeWith('signer'), { vault: VAULT, kind: 'plain' })
  await refuseOtherKind(nodeWith('signer'), { vault: VAULT })
})

test.each([
  ['plain', ['keys'], 'a vault with exits'],
  ['exits', ['signer'], 'a vault without exits'],
  ['exits', [], 'no vault of Clearwell'],
] as const)('the start rejects VAULT_KIND=%s at a contract with %j', async (kind, functions, what) => {
  await expect(refuseOtherKind(nodeWith(...functions), { vault: VAULT, kind })).rejects.toThrow(
    new ConfigError(`VAULT_KIND is ${kind}, but the contract at chain.vault (${VAULT}) is ${what}.`),
  )
})

test('a silent node refuses no kind of vault', async () => {
  const silence = new NodeError('it is silent', { isNoResponse: true })
  const node = { readContract: () => Promise.reject(silence) } as never
  await expect(refuseOtherKind(node, { vault: VAULT, kind: 'exits' })).rejects.toBe(silence)
})

test('tokens of the vault with exits need 18 decimals', () => {
  const tokens = [{ asset: 'USDT', address: VAULT, decimals: 6 }] as const
  refuseUnfitTokens({ tokens })
  expect(() => refuseUnfitTokens({ kind: 'exits', tokens })).toThrow('chain.tokens.USDT.decimals is 6')
})

test('a vault with exits needs every token', () => {
  const tokens = [{ asset: 'USDT', address: VAULT, decimals: 18 }] as const
  refuseUnfitTokens({ tokens })
  expect(() => refuseUnfitTokens({ kind: 'exits', tokens })).toThrow('chain.tokens.ETH.address must be set')
})

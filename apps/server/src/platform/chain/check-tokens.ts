import { erc20Abi, type PublicClient } from 'viem'
import { ConfigError } from '../../config/config-error.ts'
import type { Custody } from './chain.ts'
import { isNodeAway, nodeErrorOf } from './node-error.ts'

/**
 * Compares the configured tokens with their contracts. With other decimals, every deposit would be credited by a power of
 * ten too high or too low; another symbol is another token.
 *
 * @throws ConfigError with one sentence for the first difference, or for a contract that cannot be read. The error of a node
 * that does not answer.
 */
export async function refuseWrongTokens(
  client: Pick<PublicClient, 'readContract'>,
  { tokens }: Pick<Custody, 'tokens'>,
): Promise<void> {
  for (const { asset, address, decimals } of tokens) {
    const contract = { address, abi: erc20Abi } as const
    const [actualDecimals, actualSymbol] = await Promise.all([
      client.readContract({ ...contract, functionName: 'decimals' }),
      client.readContract({ ...contract, functionName: 'symbol' }),
    ]).catch((error: unknown) => {
      const nodeError = nodeErrorOf(error)
      if (nodeError && isNodeAway(nodeError)) throw error
      throw new ConfigError(
        `The token at chain.tokens.${asset}.address (${address}) cannot be read: decimals and symbol are compared before the start.`,
      )
    })
    if (actualDecimals !== decimals) {
      throw new ConfigError(
        `chain.tokens.${asset}.decimals is ${decimals}, but the contract at ${address} has ${actualDecimals}: deposits would be credited with the wrong amount.`,
      )
    }
    if (actualSymbol !== asset) {
      throw new ConfigError(
        `The contract at chain.tokens.${asset}.address (${address}) has the symbol ${JSON.stringify(actualSymbol)}, not "${asset}": it is another token.`,
      )
    }
  }
}

/**
 * Refuses an address of the vault without a contract: every payment to it would be lost.
 *
 * @throws ConfigError. The error of a node that does not answer.
 */
export async function refuseMissingVault(
  client: Pick<PublicClient, 'getCode'>,
  { vault }: Pick<Custody, 'vault'>,
): Promise<void> {
  const code = await client.getCode({ address: vault })
  if (code === undefined || code === '0x')
    throw new ConfigError(`The chain has no contract at chain.vault (${vault}): payments to it would be lost.`)
}

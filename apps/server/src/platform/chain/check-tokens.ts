import { erc20Abi, type PublicClient } from 'viem'
import { ConfigError } from '../../config/config-error.ts'
import type { Custody } from './chain.ts'

/**
 * Compares the configured tokens with their contracts. With other decimals, every deposit would be credited by a power of
 * ten too high or too low; another symbol is another token.
 *
 * @throws ConfigError with one sentence for the first difference, or for a contract that cannot be read.
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
    ]).catch(() => {
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

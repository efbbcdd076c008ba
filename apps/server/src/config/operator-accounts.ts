import { createHash } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import type { PlatformConfig } from './platform-config.ts'

/** The local profile's arbitrageur. Everyone knows its key: it holds play money only. */
export const localArbitrageur = privateKeyToAccount(
  `0x${createHash('sha256').update('clearwell arbitrageur').digest('hex')}`,
)

type OperatorAccount = PlatformConfig['operatorAccounts'][number]

interface OperatorConfig {
  readonly operatorAccounts: readonly OperatorAccount[]
  readonly chain: { readonly operator: string | null }
  readonly env: Pick<PlatformConfig['env'], 'arbitrage'>
}

/** The operator's accounts as they are published: those of the configuration, its own wallet and the local arbitrageur. */
export function operatorAccounts({ operatorAccounts: listed, chain, env }: OperatorConfig): OperatorAccount[] {
  const own: OperatorAccount[] = [
    ...(chain.operator === null ? [] : [{ address: chain.operator, role: 'treasury' as const }]),
    ...(env.arbitrage ? [{ address: localArbitrageur.address, role: 'arbitrageur' as const }] : []),
    ...listed,
  ]
  const first = new Map(own.toReversed().map((each) => [each.address.toLowerCase(), each]))
  return [...first].toReversed().map(([address, { role }]) => ({ address, role }))
}

/** Their addresses in lower case, as accounts have them. */
export function operatorAddresses(config: OperatorConfig): ReadonlySet<string> {
  return new Set(operatorAccounts(config).map(({ address }) => address))
}

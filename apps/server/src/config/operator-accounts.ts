import type { PlatformConfig } from './platform-config.ts'

type OperatorAccount = PlatformConfig['operatorAccounts'][number]

interface OperatorConfig {
  readonly operatorAccounts: readonly OperatorAccount[]
  readonly chain: { readonly operator: string | null }
}

/** The operator's accounts as they are published: its own wallet and those of the configuration. */
export function operatorAccounts({ operatorAccounts: listed, chain }: OperatorConfig): OperatorAccount[] {
  const own: OperatorAccount[] = [
    ...(chain.operator === null ? [] : [{ address: chain.operator, role: 'treasury' as const }]),
    ...listed,
  ]
  const first = new Map(own.toReversed().map((each) => [each.address.toLowerCase(), each]))
  return [...first].toReversed().map(([address, { role }]) => ({ address, role }))
}

/** Their addresses in lower case, as accounts have them. */
export function operatorAddresses(config: OperatorConfig): ReadonlySet<string> {
  return new Set(operatorAccounts(config).map(({ address }) => address))
}

import { cutDecimals, parseUnits } from '@clearwell/money/decimal'
import { usePending } from '@clearwell/ui/components/pending.tsx'
import { useQuery } from '@tanstack/react-query'
import type { Config } from '../api/config.ts'
import { BALANCES_POLL_MS } from '../api/polling.ts'
import { queryClient } from '../api/query-client.ts'
import { useCall } from '../api/use-call.ts'
import { useWallet, wallet } from '../wallet/wallet.ts'

export type ConfiguredAsset = Config['assets'][number]

/** The assets on the chain, and the native coin, which pays the network fee. */
export function chainAssets(config: Config): { assets: ConfiguredAsset[]; native: ConfiguredAsset | undefined } {
  const assets = config.assets.filter(({ kind }) => kind !== 'ledger')
  return { assets, native: assets.find(({ kind }) => kind === 'native') }
}

/** An amount in the base units of its token on the chain, which may have fewer than 18 decimals. */
export function chainUnits(amount: string, decimals: number): bigint {
  const units = parseUnits(cutDecimals(amount, decimals), decimals)
  if (units === undefined) throw new TypeError(`chainUnits: ${JSON.stringify(amount)} is not an amount`)
  return units
}

const CHAIN_BALANCE = 'chainBalance'

/** The connected wallet's own balance of an asset, in base units. */
export function useChainBalance(asset: ConfiguredAsset | undefined) {
  const { status, address } = useWallet()
  // The token of a sample is on no chain.
  const isSample = usePending()
  return useQuery({
    queryKey: [CHAIN_BALANCE, { address, token: asset?.address ?? null }],
    queryFn: async () => (await wallet()).readBalance(asset?.address ?? null),
    enabled: asset !== undefined && status === 'connected' && !isSample,
    refetchInterval: BALANCES_POLL_MS,
  })
}

/**
 * Reads the wallet's own balances again after a transaction. Those that no screen shows are dropped: the next screen would refuse
 * an amount by a balance from before.
 *
 * @returns a promise that settles once the shown balances were read.
 */
export function refreshChainBalances(): Promise<void> {
  queryClient.removeQueries({ queryKey: [CHAIN_BALANCE], type: 'inactive' })
  return queryClient.invalidateQueries({ queryKey: [CHAIN_BALANCE] })
}

/** The account's available balance of an asset, as plain decimal text; `undefined` while it is loading. */
export function useAvailable(asset: string): string | undefined {
  const { data } = useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS })
  return data && (data.find((balance) => balance.asset === asset)?.available ?? '0')
}

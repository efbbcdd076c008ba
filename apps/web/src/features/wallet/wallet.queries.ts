import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Config, useConfig } from '../../api/config.ts'
import { queryClient, refreshPersonalData } from '../../api/query-client.ts'
import { useCall } from '../../api/use-call.ts'
import { useWallet, wallet } from '../../wallet/wallet.ts'

export type ConfiguredAsset = Config['assets'][number]

const CHAIN_POLL_MS = 5_000
const GAS_POLL_MS = 15_000
/** How many orders are asked for when one of them is followed. */
const FOLLOWED = 50

/** Assets that come in from a chain, and the native coin, which pays for it. */
export function chainAssets(config: Config): { assets: ConfiguredAsset[]; native: ConfiguredAsset | undefined } {
  const assets = config.assets.filter(({ kind }) => kind !== 'ledger')
  return { assets, native: assets.find(({ kind }) => kind === 'native') }
}

/**
 * The newest transfers in. When one of them is credited, balances, logs and all else that is personal are asked for
 * again at once.
 */
export function useBuyOrders({ pollMs }: { pollMs: number | false }) {
  const query = useCall('buyOrders', { limit: FOLLOWED }, { refetchInterval: pollMs })
  const credited = query.data?.items
    .filter(({ status }) => status === 'credited')
    .map((order) => `${order.order_id}:${order.credited}`)
    .join()
  const before = useRef(credited)
  useEffect(() => {
    if (before.current !== undefined && credited !== undefined && before.current !== credited) {
      void refreshPersonalData()
      void queryClient.invalidateQueries({ queryKey: ['chainBalance'] })
    }
    before.current = credited
  }, [credited])
  return query
}

/** What the connected wallet itself holds of an asset, in base units. */
export function useChainBalance(asset: ConfiguredAsset | undefined) {
  const { status, address } = useWallet()
  return useQuery({
    queryKey: ['chainBalance', { address, token: asset?.address ?? null }],
    queryFn: async () => (await wallet()).readBalance(asset?.address ?? null),
    enabled: asset !== undefined && status === 'connected',
    refetchInterval: CHAIN_POLL_MS,
  })
}

/** How much of a token the vault may take from the connected wallet, in base units. */
export function useVaultAllowance(asset: ConfiguredAsset | undefined) {
  const { status, address } = useWallet()
  const vault = useConfig()?.vault
  const token = asset?.address ?? null
  return useQuery({
    queryKey: ['chainAllowance', { address, token, vault }],
    queryFn: async () => (await wallet()).readAllowance({ token: token ?? '', spender: vault ?? '' }),
    enabled: token !== null && vault !== undefined && status === 'connected',
    refetchInterval: CHAIN_POLL_MS,
  })
}

/** What a unit of gas costs now. */
export function useGasPrice() {
  const { status } = useWallet()
  return useQuery({
    queryKey: ['gasPrice'],
    queryFn: async () => (await wallet()).readGasPrice(),
    enabled: status === 'connected',
    refetchInterval: GAS_POLL_MS,
  })
}

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Config } from '../../api/config.ts'
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

/** The newest transfers in. When one of them is credited, all else that is personal is asked for again at once. */
export function useBuyOrders({ pollMs }: { pollMs: number | false }) {
  const query = useCall('buyOrders', { limit: FOLLOWED }, { refetchInterval: pollMs })
  const credited = query.data?.items.filter(({ status }) => status === 'credited')
  useRefreshWith(credited?.map((order) => `${order.order_id}:${order.credited}`).join())
  return query
}

/** The newest transfers out, with their vouchers. When one is paid or comes back, all that is personal is asked for again. */
export function useSellOrders({ pollMs }: { pollMs: number | false }) {
  const query = useCall('sellOrders', { limit: FOLLOWED }, { refetchInterval: pollMs })
  useRefreshWith(query.data?.items.map((order) => `${order.order_id}:${isOver(order)}`).join())
  return query
}

/** Whether nothing more will happen to a transfer out. */
function isOver({ status }: { status: string }): boolean {
  return status === 'completed' || status === 'expired'
}

/** Balances, logs and what the wallet holds are asked for again whenever `state` changes. */
function useRefreshWith(state: string | undefined): void {
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== undefined && state !== undefined && before.current !== state) {
      void refreshPersonalData()
      void queryClient.invalidateQueries({ queryKey: ['chainBalance'] })
    }
    before.current = state
  }, [state])
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

import type { Answer } from '@clearwell/api/routes'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAccount } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { refreshPersonalData, refreshUser } from '../../api/query-client.ts'
import { ACTIVE_STATUS_POLL_MS, useCall } from '../../api/use-call.ts'
import { useWallet, wallet } from '../../wallet/wallet.ts'
import { cacheActiveStatus, cachedActiveStatus } from './active-status-cache.ts'

const CHAIN_POLL_MS = 5_000
const ACTIVATED = 2

export type ActiveStatus = Answer<'getActiveStatus'>
export type ActivationOrder = Answer<'active'>

/**
 * Whether the account is activated; asked every 4 s until it is (specification §9). What was answered last is kept on
 * this device, so that after a reload the progress of a payment stands there at once.
 */
export function useActiveStatus({ enabled = true }: { enabled?: boolean } = {}) {
  const { user } = useAccount()
  const query = useCall(
    'getActiveStatus',
    {},
    { enabled, refetchInterval: user?.activated ? false : ACTIVE_STATUS_POLL_MS },
  )
  const address = user?.address
  const { data } = query
  useEffect(() => {
    if (data && address) cacheActiveStatus(address, data)
  }, [data, address])
  const turned = data?.status === ACTIVATED && user?.activated === false
  useEffect(() => {
    if (!turned) return
    void refreshUser()
    // The payment went through the balance: its log, and what is left, changed with it.
    void refreshPersonalData()
  }, [turned])
  return { ...query, data: data ?? (enabled && address ? cachedActiveStatus(address) : undefined) }
}

/** What can be used of the asset that activation is paid in, as plain decimal text. */
export function useAvailable(asset: string): string | undefined {
  const { data } = useCall('balances', {}, { refetchInterval: CHAIN_POLL_MS })
  return data?.find((balance) => balance.asset === asset)?.available
}

/** What the connected wallet itself holds of an asset, in base units. */
export function useChainBalance(asset: Config['assets'][number] | undefined) {
  const { status, address } = useWallet()
  return useQuery({
    queryKey: ['chainBalance', { address, token: asset?.address ?? null }],
    queryFn: async () => (await wallet()).readBalance(asset?.address ?? null),
    enabled: asset !== undefined && status === 'connected',
    refetchInterval: CHAIN_POLL_MS,
  })
}

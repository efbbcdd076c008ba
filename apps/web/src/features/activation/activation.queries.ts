import type { ResponseOf } from '@clearwell/api/routes'
import { stored } from '@clearwell/ui/browser/stored.ts'
import { useEffect } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { ACTIVE_STATUS_POLL_MS } from '../../api/polling.ts'
import { showActivation } from '../../api/query-client.ts'
import { useCall } from '../../api/use-call.ts'

const ACTIVATED = 2

export type ActiveStatus = ResponseOf<'getActiveStatus'>
export type ActivationOrder = ResponseOf<'active'>

/**
 * Polls whether the account is activated, every 4 s until it is (specification §9). The last response is stored on this
 * device, so a reload shows the progress of a payment immediately.
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
    if (data && address) cachedStatus.of(address).set(data)
  }, [data, address])
  const turned = data?.status === ACTIVATED && user?.activated === false
  useEffect(() => {
    if (turned) void showActivation()
  }, [turned])
  return { ...query, data: data ?? (enabled && address ? cachedStatus.of(address).get() : undefined) }
}

/** The last response for an address. The activation info has its own key in local storage (specification §3). */
const cachedStatus = stored<ActiveStatus>({
  key: 'clearwell.activation',
  scope: 'device',
  owner: true,
  schema: (value) => (typeof value === 'object' && value !== null ? (value as ActiveStatus) : undefined),
})

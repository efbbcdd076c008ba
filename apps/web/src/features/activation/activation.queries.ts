import type { Answer } from '@clearwell/api/routes'
import { useEffect } from 'react'
import { refreshUser } from '../../account/refresh-user.ts'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../api/use-call.ts'

const POLL_MS = 4_000
const ACTIVATED = 2

export type ActiveStatus = Answer<'getActiveStatus'>

/** Whether the account is activated; asked every 4 s until it is (specification §9). */
export function useActiveStatus({ enabled = true }: { enabled?: boolean } = {}) {
  const { user } = useAccount()
  const query = useCall('getActiveStatus', {}, { enabled, refetchInterval: user?.activated ? false : POLL_MS })
  const turned = query.data?.status === ACTIVATED && user?.activated === false
  useEffect(() => {
    if (turned) void refreshUser()
  }, [turned])
  return query
}

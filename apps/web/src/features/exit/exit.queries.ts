import type { ResponseOf } from '@clearwell/api/routes'
import { useQuery } from '@tanstack/react-query'
import { useCall } from '../../api/use-call.ts'

export type Exit = ResponseOf<'proofExit'>
export type ExitClaims = ResponseOf<'proofClaims'>

const POLL_MS = 5_000
const CLAIMS_POLL_MS = 15_000

/** The state of the account's exit, polled while the page is seen. */
export function useExit({ pollMs = POLL_MS }: { pollMs?: number } = {}) {
  return useCall('proofExit', {}, { refetchInterval: pollMs })
}

/** Reads the payments of the vault, once the exit is ready. */
export function useExitClaims() {
  return useCall('proofClaims', {}, { refetchInterval: CLAIMS_POLL_MS })
}

/** The address of the exit kit; nothing where this build has none. */
export const EXIT_KIT = '/exit-kit.html'

/** Returns whether this server has the exit kit. */
export function useHasExitKit(): boolean {
  const { data } = useQuery({
    queryKey: ['exitKit'],
    queryFn: async () => (await fetch(EXIT_KIT, { method: 'HEAD' })).ok,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data === true
}

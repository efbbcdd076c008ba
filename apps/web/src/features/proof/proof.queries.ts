import type { ResponseOf } from '@clearwell/api/routes'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import { useConfig } from '../../api/config.ts'
import { useCall } from '../../api/use-call.ts'
import { loadPart } from '../../components/lazy-part.tsx'

export type Reserves = ResponseOf<'proofReserves'>

/** As often as the server compares the ledger with the vault by default. */
const RESERVES_POLL_MS = 20_000

/** The server's last comparison, polled while the page is seen. */
export function useReserves() {
  return useCall('proofReserves', {}, { refetchInterval: RESERVES_POLL_MS, staleTime: RESERVES_POLL_MS })
}

/** The age of a comparison in seconds, counted on from the response; `undefined` before the first comparison. */
export function useAgeSeconds({
  data,
  dataUpdatedAt,
}: {
  readonly data: Reserves | undefined
  readonly dataUpdatedAt: number
}): number | undefined {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (data?.age_seconds == null) return undefined
  return data.age_seconds + Math.max(0, Math.floor((nowMs - dataUpdatedAt) / 1_000))
}

/**
 * One comparison of the server, and the browser's own reading of the chain at its block. Both stay as they are until the user
 * checks again, so that they belong together.
 */
export function useProof() {
  const config = useConfig()
  const reserves = useQuery({
    queryKey: ['proofReserves', 'checked'],
    queryFn: ({ signal }) => call('proofReserves', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const { data, dataUpdatedAt } = reserves
  const block = data?.block_number ?? undefined
  const reading = useQuery({
    queryKey: ['vaultReading', dataUpdatedAt],
    async queryFn() {
      if (!config || block === undefined) throw new TypeError('nothing to read yet')
      const { readVault } = await loadPart(() => import('../../wallet/read-vault.ts'))
      return readVault({ rpcUrl: config.chain.rpc_url, vault: config.vault, assets: config.assets, block })
    },
    enabled: config !== undefined && block !== undefined,
    // The transport has retried.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return { config, reserves, reading }
}

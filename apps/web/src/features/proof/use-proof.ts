import { loadPart } from '@clearwell/ui/components/lazy-part.tsx'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useConfig } from '../../api/config.ts'

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

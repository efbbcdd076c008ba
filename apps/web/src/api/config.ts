import type { Answer } from '@clearwell/api/routes'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { queryClient } from './query-client.ts'

/** What the operator configured: product name, chain, vault, assets, limits, fees, opening times. */
export type Config = Answer<'config'>

const configQuery = queryOptions({
  queryKey: ['config', {}],
  // Without the signal: the wallet waits for this answer too, and must not lose it when a screen goes away meanwhile.
  queryFn: () => call('config', {}),
  staleTime: 60_000,
})

export function useConfig(): Config | undefined {
  return useQuery(configQuery).data
}

/** The configuration, fetched if it is not at hand. */
export function fetchConfig(): Promise<Config> {
  return queryClient.ensureQueryData(configQuery)
}

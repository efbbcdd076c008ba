import type { FeatureConfig, SharedPart } from '@clearwell/api/config.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { m } from '../generated/messages.ts'
import { call } from './client.ts'
import { CONFIG_KEY, queryClient } from './query-client.ts'

/** The operator's configuration: product name, chain, vault, assets, limits, fees, opening times. */
export type Config = Omit<WholeConfig, keyof FeatureConfig>

/** The configuration with fields that features publish for their own screens. */
export type ConfigWith<Field extends keyof FeatureConfig> = Config & Pick<FeatureConfig, Field>

/** The configuration with the fields of all features. */
export type WholeConfig = ResponseOf<'config'>

const LOCAL_CHAIN_ID = 31337

/** Nothing works without the configuration: a failed request is retried until it succeeds. */
const RETRY_MS = 5_000

/** How often a screen asks whether the parts work that its acts need. */
const DEGRADED_POLL_MS = 30_000

const configQuery = queryOptions({
  queryKey: CONFIG_KEY,
  // Without the signal: the wallet waits for this response too, and must not lose it when a screen unmounts.
  queryFn: () => call('config', {}),
  staleTime: 60_000,
  refetchInterval: ({ state }) => (state.data === undefined && state.error ? RETRY_MS : false),
})

/**
 * Returns whether a part of the service does not work now, such as the chain's nodes. Asked again while a screen shows it, and
 * after a command that was refused for it.
 */
export function useIsDegraded(part: SharedPart): boolean {
  const options = { ...configQuery, refetchInterval: DEGRADED_POLL_MS }
  // A server of the version before has no such field.
  return useQuery({ ...options, select: ({ degraded }) => (degraded ?? []).includes(part) }).data ?? false
}

/** How often the frame asks for announcements and for parts that do not work. */
const NEWS_POLL_MS = 60_000

/** The configuration with its news, asked for again once a minute. */
export function useNewsSource(): WholeConfig | undefined {
  return useQuery({ ...configQuery, refetchInterval: NEWS_POLL_MS }).data
}

/** As people read it. To a wallet the network is named as it is configured, in English. */
export function useConfig(): WholeConfig | undefined {
  return useQuery(currentLocale() === 'en' ? configQuery : { ...configQuery, select: inChinese }).data
}

/** Why there is no configuration, where a request for it failed; the query retries automatically. */
export function useConfigError(): Error | undefined {
  const { data, error } = useQuery(configQuery)
  return data === undefined ? (error ?? undefined) : undefined
}

/** The names of public networks are names; that of the local one is a word. */
function inChinese(config: WholeConfig): WholeConfig {
  const { chain } = config
  return chain.id === LOCAL_CHAIN_ID ? { ...config, chain: { ...chain, name: m.app_network_local() } } : config
}

/** The configuration, fetched if it is not at hand. */
export function fetchConfig(): Promise<WholeConfig> {
  return queryClient.ensureQueryData(configQuery)
}

import { currentLocale, type Locale } from '@clearwell/ui/i18n/locale.ts'
import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Payload } from '../../content/payload-schema.ts'
import { NoResponseError } from '../api/api-error.ts'
import { queryClient } from '../api/query-client.ts'
import { payloadPath } from './payload-path.ts'

const TIMEOUT_MS = 15_000

/**
 * A route's `loader`: fetches its static content ahead of the click, since links preload their route on hover, focus or
 * touch. The router does not wait for it, so missing content never delays a screen.
 */
export function loadPayload(screen: string) {
  return ({ params, cause }: { params: { locale?: 'en' }; cause: 'preload' | 'enter' | 'stay' }): void => {
    // The first paint of home makes no request that it does not need.
    if (screen === '/' && cause !== 'preload') return
    void queryClient.prefetchQuery(payloadQuery(screen, params.locale ?? 'zh-HK'))
  }
}

/** The static content of a screen in the current language. */
export function usePayload(screen: string): UseQueryResult<Payload> {
  return useQuery(payloadQuery(screen, currentLocale()))
}

function payloadQuery(screen: string, locale: Locale) {
  return queryOptions({
    queryKey: ['payload', screen, locale],
    queryFn: ({ signal }) => fetchPayload(payloadPath(screen, locale), signal),
    // It changes with the build alone, and a newer build reloads the app.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** @throws NoResponseError without a response: offline, or the file is missing. */
async function fetchPayload(path: string, signal: AbortSignal): Promise<Payload> {
  try {
    const response = await fetch(path, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
    if (!response.ok) throw new Error(`HTTP status ${response.status}`)
    return (await response.json()) as Payload
  } catch (error) {
    if (signal.aborted) throw error
    throw new NoResponseError(`no content from ${path}`, { cause: error })
  }
}

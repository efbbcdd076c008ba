import { queryClient } from '../../api/query-client.ts'

/** Calls whose answers say what time it is at the server; the first is asked for every few seconds. */
const TELLING = new Set<unknown>(['getQuote', 'config'])

interface TimeTold {
  /** The server's time as it answered, and this device's time when the answer came, in milliseconds. */
  readonly serverMs: number
  readonly deviceMs: number
}

/**
 * What the server's clock shows now at the least; `undefined` before it was ever told. The clock of this device may be
 * wrong: only the time that passed on it since the newest answer is taken from it.
 */
export function serverNowMs(): number | undefined {
  const told = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ queryKey }) => TELLING.has(queryKey[0]) })
    .map(({ state: { data, dataUpdatedAt } }) => ({
      serverMs: Date.parse((data as { time?: string } | undefined)?.time ?? ''),
      deviceMs: dataUpdatedAt,
    }))
  return serverTimeAt(Date.now(), told)
}

/** The newest by the server's own count: the clock of the device may have been set since another. */
export function serverTimeAt(deviceNowMs: number, told: readonly TimeTold[]): number | undefined {
  const [newest] = told.filter(({ serverMs }) => !Number.isNaN(serverMs)).toSorted((a, b) => b.serverMs - a.serverMs)
  return newest && newest.serverMs + Math.max(0, deviceNowMs - newest.deviceMs)
}

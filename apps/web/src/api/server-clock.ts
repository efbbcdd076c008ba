import { queryClient } from './query-client.ts'

/** Calls whose responses carry the server's time. */
const TIMED_CALLS = new Set<unknown>(['getQuote', 'config'])

interface TimeReading {
  /** The server's time in a response and this device's time when it arrived, in milliseconds. */
  readonly serverMs: number
  readonly deviceMs: number
}

/**
 * A lower bound of the server's time now; `undefined` before the first response that carries it. The clock of this device
 * may be wrong: only the time since the newest response is taken from it.
 */
export function serverNowMs(): number | undefined {
  const readings = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ queryKey }) => TIMED_CALLS.has(queryKey[0]) })
    .map(({ state: { data, dataUpdatedAt } }) => ({
      serverMs: Date.parse((data as { time?: string } | undefined)?.time ?? ''),
      deviceMs: dataUpdatedAt,
    }))
  return serverTimeAt(Date.now(), readings)
}

/** Uses the reading that is newest by the server's clock: the device's clock may have been set in between. */
export function serverTimeAt(deviceNowMs: number, readings: readonly TimeReading[]): number | undefined {
  const [newest] = readings
    .filter(({ serverMs }) => !Number.isNaN(serverMs))
    .toSorted((a, b) => b.serverMs - a.serverMs)
  return newest && newest.serverMs + Math.max(0, deviceNowMs - newest.deviceMs)
}

import { Connection } from './connection.ts'

const WARM_UP_MS = 2_000

/** The results of clients that each have one request in progress at a time. */
export interface Load {
  /** With those of the warm-up. */
  readonly acknowledged: number
  /** Of what began and ended after the warm-up. */
  readonly latenciesMs: readonly number[]
  readonly seconds: number
}

/**
 * Lets so many clients ask for `seconds` after a warm-up, over a connection each.
 *
 * @param request the bytes of a client's request in its turn.
 * @param isRight returns whether a response is correct.
 * @throws Error on the first wrong response.
 */
export async function loadFor(
  seconds: number,
  url: string,
  {
    clients,
    request,
    isRight,
  }: { clients: number; request(client: number, turn: number): string; isRight(response: string): boolean },
): Promise<Load> {
  const connections = await Promise.all(Array.from({ length: clients }, () => Connection.open(new URL(url))))
  const latenciesMs: number[] = []
  let acknowledged = 0
  const startMs = performance.now() + WARM_UP_MS
  const endMs = startMs + seconds * 1000
  await Promise.all(
    connections.map(async (connection, client) => {
      for (let turn = 0; performance.now() < endMs; turn++) {
        const bytes = request(client, turn)
        const sentMs = performance.now()
        const response = await connection.send(bytes)
        if (!isRight(response)) throw new Error(`refused: ${response}`)
        acknowledged++
        const doneMs = performance.now()
        if (sentMs >= startMs && doneMs < endMs) latenciesMs.push(doneMs - sentMs)
      }
    }),
  )
  for (const connection of connections) connection.close()
  return { acknowledged, latenciesMs, seconds }
}

export interface LoadFigure {
  readonly what: string
  readonly clients: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export function figureOf(what: string, clients: number, { latenciesMs, seconds }: Load): LoadFigure {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const percentile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { what, clients, perSecond: sorted.length / seconds, p50Ms: percentile(0.5), p99Ms: percentile(0.99) }
}

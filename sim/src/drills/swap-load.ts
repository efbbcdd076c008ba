import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** A response that takes longer is given up: the client asks another server, with the same key. */
const REQUEST_MS = 5_000
const PAUSE_MS = 30
/** How long the last commands may take after the load has stopped. */
const FINISH_MS = 90_000
/** The same for every repetition: another deadline would be another payload. */
const DEADLINE = new Date(Date.now() + 1_800_000).toISOString()

/** A swap of the pool of drills: small, and back and forth by `inverse`. */
const DRILL_SWAP = (inverse: number) => ({
  pool_id: 'bnb-usdt',
  inverse,
  amount: inverse ? '0.62' : '0.001',
  min_amount_out: '0',
})

export interface SwapLoad {
  /** Resolves once so many more swaps are acknowledged. */
  acknowledge(count: number, withinMs: number): Promise<void>
  readonly count: number
  /** The longest time without an acknowledgement since a moment of `performance.now()`, in seconds. */
  longestGapSince(momentMs: number): number
  /** Waits until each command has its response. @returns the transaction of each. */
  stop(): Promise<readonly string[]>
}

/**
 * Clients that swap without end. Each repeats a command with its key, at one server after the other, until it has a response,
 * as a client must that does not know whether its command was done.
 */
export function startSwapLoad({
  urls,
  tokens,
  clients = 8,
  swapOf = DRILL_SWAP,
}: {
  readonly urls: () => readonly string[]
  readonly tokens: readonly string[]
  readonly clients?: number
  /** The payload of a swap in one direction or the other. */
  readonly swapOf?: (inverse: number) => Readonly<Record<string, unknown>>
}): SwapLoad {
  const ids: string[] = []
  const momentsMs: number[] = []
  let isStopped = false
  let stoppedMs = Number.POSITIVE_INFINITY

  async function client(number: number): Promise<void> {
    for (let turn = 0; !isStopped; turn++) {
      const payload = { ...swapOf((number + turn) % 2), deadline: DEADLINE }
      const swap = { key: randomUUID(), token: tokens[number % tokens.length] ?? '', payload }
      for (let attempt = number; ; attempt++) {
        const id = await ask(urls()[attempt % urls().length] ?? '', swap)
        if (id !== undefined) {
          ids.push(id)
          momentsMs.push(performance.now())
          break
        }
        if (performance.now() - stoppedMs > FINISH_MS) throw new Error('a command got no response in time')
        await wait(PAUSE_MS)
      }
      await wait(PAUSE_MS)
    }
  }
  let failure: unknown
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  running.catch((error) => {
    failure = error
  })

  return {
    async acknowledge(count, withinMs) {
      const wanted = ids.length + count
      const untilMs = performance.now() + withinMs
      while (ids.length < wanted) {
        if (failure !== undefined) throw failure
        if (performance.now() > untilMs) {
          throw new Error(`${count - wanted + ids.length} of ${count} swaps were acknowledged in ${withinMs} ms`)
        }
        await wait(20)
      }
    },
    get count() {
      return ids.length
    },
    longestGapSince(momentMs) {
      const moments = [momentMs, ...momentsMs.filter((each) => each > momentMs), Math.min(stoppedMs, performance.now())]
      const gaps = moments.map((each, index) => each - (moments[index - 1] ?? each))
      return Math.max(...gaps) / 1_000
    },
    async stop() {
      stoppedMs = performance.now()
      isStopped = true
      await running
      return ids
    },
  }
}

/** @returns the transaction's id, or `undefined` where the client must repeat the command. */
async function ask(
  url: string,
  { key, token, payload }: { readonly key: string; readonly token: string; readonly payload: object },
): Promise<string | undefined> {
  let reply: { readonly code: number; readonly data: { readonly transaction_id?: string } }
  try {
    const response = await fetch(`${url}/api/SwapPool/doSwap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'xx-token': token, 'idempotency-key': key },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    reply = (await response.json()) as typeof reply
  } catch {
    return undefined
  }
  if (reply.code === 1) return reply.data.transaction_id
  // From 50000 on the server has failed; a lower code would refuse the swap.
  if (reply.code >= 50_000) return undefined
  throw new Error(`a swap was refused: ${JSON.stringify(reply)}`)
}

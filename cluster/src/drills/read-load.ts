import { setTimeout as wait } from 'node:timers/promises'
import { createRequests } from '@clearwell/sim/src/proxy/steady-load.ts'

const EVERY_MS = 100
/** A page that takes longer counts as not served. */
const REQUEST_MS = 5_000
const READINGS = [
  ['POST', '/api/SwapPool/pairs'],
  ['GET', '/api/profile/userinfo'],
  ['POST', '/api/Wallet/balances'],
] as const

export interface ReadLoad {
  /** Reads that were asked for and served between two moments of `performance.now()`. */
  between(fromMs: number, toMs: number): { readonly asked: number; readonly served: number }
  stop(): Promise<void>
}

/** Ten reads a second, of prices, the own profile and balances, at each machine in turn. */
export function startReadLoad(
  urls: readonly string[],
  { tokens, certificate }: { readonly tokens: readonly string[]; readonly certificate: string },
): ReadLoad {
  const senders = urls.map((url) => createRequests({ url, ca: certificate }))
  const results: { readonly askedMs: number; isServed: boolean }[] = []
  const open = new Set<Promise<void>>()
  let isStopped = false

  /** As a browser that has the addresses of all machines: it asks the next one where one is away. */
  async function read(turn: number): Promise<void> {
    const result = { askedMs: performance.now(), isServed: false }
    results.push(result)
    const [method, path] = READINGS[turn % READINGS.length] ?? READINGS[0]
    const signal = AbortSignal.timeout(REQUEST_MS)
    for (let attempt = 0; attempt < senders.length && !result.isServed; attempt++) {
      const sender = senders[(turn + attempt) % senders.length]
      const reply = await sender
        ?.send(method, path, { token: tokens[turn % tokens.length] ?? '', signal })
        .catch(() => undefined)
      result.isServed = reply?.status === 200 && JSON.parse(reply.body).code === 1
    }
  }

  async function run(): Promise<void> {
    for (let turn = 0; !isStopped; turn++) {
      const reading = read(turn)
      open.add(reading)
      void reading.finally(() => open.delete(reading))
      await wait(EVERY_MS)
    }
  }
  const running = run()
  return {
    between(fromMs, toMs) {
      const within = results.filter(({ askedMs }) => askedMs >= fromMs && askedMs <= toMs)
      return { asked: within.length, served: within.filter(({ isServed }) => isServed).length }
    },
    async stop() {
      isStopped = true
      await running
      await Promise.all(open)
      for (const sender of senders) sender.close()
    },
  }
}

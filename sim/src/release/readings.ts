import { setTimeout as wait } from 'node:timers/promises'

/** The calls that an open tab polls. */
const CALLS = [
  ['POST', '/SwapPool/getActiveStatus'],
  ['POST', '/SwapPool/pairs'],
  ['GET', '/profile/userinfo'],
  ['POST', '/Wallet/balances'],
] as const
const PAUSE_MS = 50
const REQUEST_MS = 10_000
/** A proxy asks the next server where one does not respond. Neither may be away for longer. */
const GIVE_UP_MS = 15_000

/** Reads as open tabs do, at one server after the other, until it is stopped. */
export function startReadings(urls: readonly string[], tokens: readonly string[]) {
  const faults: string[] = []
  let count = 0
  let isStopped = false

  async function read(number: number): Promise<void> {
    const [method, path] = CALLS[number % CALLS.length] ?? CALLS[0]
    const startedMs = performance.now()
    for (let attempt = number; performance.now() - startedMs < GIVE_UP_MS; attempt++) {
      const url = `${urls[attempt % urls.length]}/api${path}`
      const outcome = await ask(url, method, tokens[number % tokens.length] ?? '')
      if (outcome === 'ok') return
      if (outcome !== 'away') {
        faults.push(`${path}: ${outcome}`)
        return
      }
      await wait(PAUSE_MS)
    }
    faults.push(`${path}: no server responded in ${GIVE_UP_MS} ms`)
  }
  const reading = (async () => {
    for (; !isStopped; count++) {
      await read(count)
      await wait(PAUSE_MS)
    }
  })()
  return {
    async stop(): Promise<{ readonly count: number; readonly faults: readonly string[] }> {
      isStopped = true
      await reading
      return { count, faults }
    },
  }
}

/** @returns `ok`, `away` where another server must be asked, or the fault. */
async function ask(url: string, method: 'GET' | 'POST', token: string): Promise<string> {
  try {
    const headers = { 'content-type': 'application/json', 'xx-token': token }
    const body = method === 'POST' ? { body: '{}' } : {}
    const response = await fetch(url, { method, headers, ...body, signal: AbortSignal.timeout(REQUEST_MS) })
    const reply = (await response.json()) as { code: number; msg: string }
    if (reply.code === 1) return 'ok'
    return response.status === 503 ? 'away' : `code ${reply.code}: ${reply.msg}`
  } catch {
    return 'away'
  }
}

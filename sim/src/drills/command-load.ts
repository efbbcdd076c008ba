import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** A response that takes longer is given up: the client asks another server, with the same key. */
const REQUEST_MS = 5_000
const PAUSE_MS = 30
/** How long the last commands may take after the load has stopped. */
const FINISH_MS = 90_000

export interface Command {
  /** Such as `swap`: how its outcome is counted. */
  readonly kind: string
  readonly path: string
  readonly payload: Readonly<Record<string, unknown>>
}

export interface Acknowledged {
  readonly kind: string
  /** The data of the response. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface KeyedCommand extends Command {
  readonly key: string
  readonly token: string
}

interface Reply {
  readonly code: number
  readonly data: Readonly<Record<string, unknown>>
}

export interface CommandLoad {
  /** Resolves once so many more commands are acknowledged. */
  acknowledge(count: number, withinMs: number): Promise<void>
  readonly count: number
  /** The longest time without an acknowledgement since a moment of `performance.now()`, in seconds. */
  longestGapSince(momentMs: number): number
  /** Waits until each command has its response. */
  stop(): Promise<readonly Acknowledged[]>
}

export interface CommandLoadOptions {
  readonly urls: () => readonly string[]
  readonly tokens: readonly string[]
  readonly clients?: number
  /** A client's next command. @param own its acknowledged commands so far. */
  readonly commandOf: (client: number, turn: number, own: readonly Acknowledged[]) => Command
  /** Sends a request; by default over HTTP. */
  readonly send?: (url: string, command: KeyedCommand, signal: AbortSignal) => Promise<Reply>
}

/**
 * Clients that send commands without end. Each repeats a command with its key, at one server after the other, until it has a
 * response, as a client must that does not know whether its command was done.
 */
export function startCommandLoad(options: CommandLoadOptions): CommandLoad {
  const { urls, tokens, commandOf, clients = 8, send = sendByFetch } = options
  const acknowledged: Acknowledged[] = []
  const momentsMs: number[] = []
  let isStopped = false
  let stoppedMs = Number.POSITIVE_INFINITY

  async function client(number: number): Promise<void> {
    const own: Acknowledged[] = []
    let at = number
    for (let turn = 0; !isStopped; turn++) {
      const command = {
        ...commandOf(number, turn, own),
        key: randomUUID(),
        token: tokens[number % tokens.length] ?? '',
      }
      for (; ; at++) {
        const data = await ask(urls()[at % urls().length] ?? '', command, send)
        if (data !== undefined) {
          const done = { kind: command.kind, data }
          own.push(done)
          acknowledged.push(done)
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
      const wanted = acknowledged.length + count
      const untilMs = performance.now() + withinMs
      while (acknowledged.length < wanted) {
        if (failure !== undefined) throw failure
        if (performance.now() > untilMs) {
          const got = count - wanted + acknowledged.length
          throw new Error(`${got} of ${count} commands were acknowledged in ${withinMs} ms`)
        }
        await wait(20)
      }
    },
    get count() {
      return acknowledged.length
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
      return acknowledged
    },
  }
}

async function sendByFetch(url: string, command: KeyedCommand, signal: AbortSignal): Promise<Reply> {
  const response = await fetch(`${url}${command.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'xx-token': command.token, 'idempotency-key': command.key },
    body: JSON.stringify(command.payload),
    signal,
  })
  return (await response.json()) as Reply
}

/** @returns the data of the response, or `undefined` where the client must repeat the command. */
async function ask(url: string, command: KeyedCommand, send: NonNullable<CommandLoadOptions['send']>) {
  let reply: Reply
  try {
    reply = await send(url, command, AbortSignal.timeout(REQUEST_MS))
  } catch {
    return undefined
  }
  if (reply.code === 1) return reply.data
  // From 50000 on the server has failed; a lower code would refuse the command.
  if (reply.code >= 50_000) return undefined
  throw new Error(`a ${command.kind} was refused at ${url}: ${JSON.stringify(reply)}`)
}

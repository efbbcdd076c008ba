import type { IncomingMessage } from 'node:http'
import {
  COMMANDS_PATH,
  type CommandLine,
  type ForwardedResponse,
  LINES_TYPE,
  MOST_CHARACTERS,
  MOST_COMMANDS,
  readOutcome,
} from './command-lines.ts'
import type { Post } from './post-to-server.ts'
import { FORWARDED, type ServerSeal } from './server-seal.ts'

const GATHER_PART = 0.1
const MOST_GATHER_MS = 10
/** The claim of a request that is of many clients: each command names its own. */
const MANY_CLIENTS = '0.0.0.0'

interface Leader {
  readonly url: string
  readonly holder: string
}

interface Waiting {
  readonly line: string
  readonly settle: (outcome: ForwardedResponse | undefined) => void
}

/** Returns the response to a command; `undefined` if its outcome is unknown. */
export type AskInBatch = (leader: Leader, command: CommandLine) => Promise<ForwardedResponse | undefined>

/**
 * Sends commands to the leader together: those of one moment in one request, signed once. Each outcome arrives as soon as the leader
 * has it, so no command waits for another one of its request.
 *
 * @param onRefused receives whether the leader has refused a request of this server.
 */
export function createCommandBatches({
  seal,
  post,
  timeoutMs,
  onRefused,
}: {
  readonly seal: ServerSeal
  readonly post: Post
  readonly timeoutMs: number
  readonly onRefused: (isRefused: boolean, url: string) => void
}): AskInBatch {
  /** By the leader's name. */
  const gathering = new Map<string, { readonly waiting: Waiting[]; characters: number; readonly send: () => void }>()
  let sentAtMs = Number.NEGATIVE_INFINITY
  let tookMs = 0

  function begin(leader: Leader) {
    const batch = {
      waiting: [] as Waiting[],
      characters: 0,
      send() {
        if (gathering.get(leader.holder) === batch) gathering.delete(leader.holder)
        if (batch.waiting.length === 0) return
        sentAtMs = performance.now()
        void exchange(leader, batch.waiting.splice(0))
      },
    }
    gathering.set(leader.holder, batch)
    const waitMs = gatherMs({ tookMs, sinceSentMs: performance.now() - sentAtMs })
    if (waitMs > 0) setTimeout(batch.send, waitMs)
    else setImmediate(batch.send)
    return batch
  }

  async function exchange(leader: Leader, waiting: readonly Waiting[]): Promise<void> {
    const startedMs = performance.now()
    const body = waiting.map(({ line }) => line).join('\n')
    const signed = { method: 'POST', path: COMMANDS_PATH, headers: {}, body, clientAddress: MANY_CLIENTS }
    const headers = { [FORWARDED]: seal.sign(signed, leader.holder) }
    try {
      const response = await post({ url: `${leader.url}${COMMANDS_PATH}`, headers, body, timeoutMs, type: LINES_TYPE })
      const isRefused = response.headers[FORWARDED] === 'refused'
      onRefused(isRefused, leader.url)
      if (isRefused || response.statusCode !== 200) response.resume()
      else
        await readLines(response, (line) => {
          const outcome = readOutcome(line)
          if (outcome && outcome.response.status !== 503) waiting[outcome.at]?.settle(outcome.response)
        })
    } catch {
      // Those without an outcome are asked for again with their keys.
    }
    tookMs = performance.now() - startedMs
    for (const { settle } of waiting) settle(undefined)
  }

  return (leader, command) =>
    new Promise((settle) => {
      const batch = gathering.get(leader.holder) ?? begin(leader)
      const line = JSON.stringify(command)
      batch.waiting.push({ line, settle })
      batch.characters += line.length
      if (batch.waiting.length === MOST_COMMANDS || batch.characters > MOST_CHARACTERS) batch.send()
    })
}

/**
 * Returns how long commands gather before they leave, in milliseconds: behind the request before them, for a tenth of the time that the last one took,
 * at most 10. So a busy leader gets few requests with many commands each, and a command that follows no other leaves immediately.
 *
 * @param sinceSentMs the time since the last request left.
 */
export function gatherMs({ tookMs, sinceSentMs }: { readonly tookMs: number; readonly sinceSentMs: number }): number {
  return Math.max(0, Math.min(MOST_GATHER_MS, tookMs * GATHER_PART) - sinceSentMs)
}

/** Reads the whole lines of a response as they arrive. Node's reader of lines takes several times as long. */
async function readLines(response: IncomingMessage, read: (line: string) => void): Promise<void> {
  let rest = ''
  response.setEncoding('utf8')
  for await (const piece of response) {
    const lines = (rest + String(piece)).split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(read)
  }
}

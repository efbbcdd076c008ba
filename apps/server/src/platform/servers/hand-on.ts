import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { NotReady } from '@clearwell/ledger/writer'
import type { EnvelopeAnswer } from '../http/envelope.ts'
import type { ServerList } from './server-list.ts'

/** A writer that was killed keeps its lease for some seconds; another takes it over within this time. */
const GIVE_UP_AFTER_MS = 10_000
const AGAIN_AFTER_MS = 100
/** How long one server waits for the answer of another. */
const ANSWER_MS = 5_000

/** Says that a request comes from another server of the same ledger, which must not hand it on once more. */
export const HANDED_ON = 'xx-handed-on'
const PASSED_ON = ['accept-language', 'xx-device-type', 'xx-token'] as const

/** A command as it came in. */
export interface HandedCommand {
  /** With the base path. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Whose rate it counts for. */
  readonly ip: string
  readonly payload: unknown
  /** The client's. Where it sent none, one is made before the command leaves this server. */
  readonly idempotencyKey: string | undefined
}

export interface HandOnOptions {
  readonly servers: ServerList
  /** Whether this server holds the writer's lease. */
  readonly isWriting: () => boolean
  readonly giveUpAfterMs?: number
}

/**
 * Runs a command where the ledger is written: here while this server holds the lease, else on the server that does. When
 * that one is gone it waits for the next, and repeats with the same idempotency key: so nothing is done twice, and nothing
 * that was answered is lost.
 *
 * @param here runs it in this process.
 * @returns what `here` answers, or the envelope of the other server.
 * @throws NotReady when no server has taken the lease in time, or the database is away; Refusal and others from `here`.
 */
export async function handOn<Answer>(
  { servers, isWriting, giveUpAfterMs = GIVE_UP_AFTER_MS }: HandOnOptions,
  command: HandedCommand,
  here: (idempotencyKey: string | undefined) => Promise<Answer>,
): Promise<{ here: Answer } | { there: EnvelopeAnswer }> {
  const giveUpAtMs = performance.now() + giveUpAfterMs
  let key = command.idempotencyKey
  for (;;) {
    if (isWriting()) {
      try {
        return { here: await here(key) }
      } catch (error) {
        // Still the writer: it is the database that is away, and no other server can do it either. Without a key nobody
        // can tell whether it was done, so it must not be repeated.
        if (!(error instanceof NotReady) || isWriting() || key === undefined) throw error
      }
    } else {
      key ??= randomUUID()
      const writer = await servers.writer()
      const answer = writer && (await ask(writer, { ...command, idempotencyKey: key }))
      if (answer) return { there: answer }
    }
    if (performance.now() > giveUpAtMs) throw new NotReady('no server writes the ledger')
    await wait(AGAIN_AFTER_MS)
  }
}

/** Answers `undefined` where it is not known what came of it: the other server is gone, or does not write any more. */
async function ask(
  { url, holder }: { readonly url: string; readonly holder: string },
  command: HandedCommand & { idempotencyKey: string },
): Promise<EnvelopeAnswer | undefined> {
  const headers = new Headers({
    'content-type': 'application/json',
    'idempotency-key': command.idempotencyKey,
    'x-forwarded-for': command.ip,
    // Its own name: only a server of the same database can know it.
    [HANDED_ON]: holder,
  })
  for (const name of PASSED_ON) {
    const value = command.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  try {
    const response = await fetch(`${url}${command.path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(command.payload ?? {}),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const body = (await response.json()) as EnvelopeAnswer['body']
    return response.status === 503 ? undefined : { status: response.status, body }
  } catch {
    return undefined
  }
}

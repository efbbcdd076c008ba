import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { NotReady } from '@clearwell/ledger/writer'
import type { EnvelopeResponse } from '../http/envelope.ts'
import type { ServerList } from './server-list.ts'

/** A leader that was killed keeps its lease for some seconds; another server takes over within this time. */
const GIVE_UP_AFTER_MS = 10_000
const AGAIN_AFTER_MS = 100
/** How long one server waits for the response of another. */
const RESPONSE_TIMEOUT_MS = 5_000

/** The header of a request that another server of the same ledger has forwarded: it is not forwarded again. */
export const FORWARDED_BY = 'xx-handed-on'
const PASSED_ON = ['accept-language', 'xx-device-type', 'xx-token'] as const

/** A command as the client sent it. */
export interface ForwardedCommand {
  /** With the base path. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The address whose rate the command counts toward. */
  readonly ip: string
  readonly payload: unknown
  /** The client's key. Without one, this server makes one before it forwards the command. */
  readonly idempotencyKey: string | undefined
}

export interface ForwardOptions {
  readonly servers: ServerList
  /** Returns whether this server holds the writer's lease. */
  readonly isWriting: () => boolean
  readonly giveUpAfterMs?: number
}

/**
 * Runs a command on the leader: here while this server holds the lease, else on the server that does. If that server is
 * gone, it retries on the next leader with the same idempotency key: nothing is done twice, and nothing acknowledged is lost.
 *
 * @param here runs the command in this process.
 * @returns the result of `here`, or the envelope of the other server.
 * @throws NotReady when no server has taken the lease in time, or the database is away; Refusal and others from `here`.
 */
export async function forwardToWriter<Result>(
  { servers, isWriting, giveUpAfterMs = GIVE_UP_AFTER_MS }: ForwardOptions,
  command: ForwardedCommand,
  here: (idempotencyKey: string | undefined) => Promise<Result>,
): Promise<{ here: Result } | { there: EnvelopeResponse }> {
  const giveUpAtMs = performance.now() + giveUpAfterMs
  let key = command.idempotencyKey
  for (;;) {
    if (isWriting()) {
      try {
        return { here: await here(key) }
      } catch (error) {
        // Still the leader: the database is away, for every other server too. Without a key the outcome is unknown, so the
        // command must not be repeated.
        if (!(error instanceof NotReady) || isWriting() || key === undefined) throw error
      }
    } else {
      key ??= randomUUID()
      const writer = await servers.writer()
      const response = writer && (await ask(writer, { ...command, idempotencyKey: key }))
      if (response) return { there: response }
    }
    if (performance.now() > giveUpAtMs) throw new NotReady('no server writes the ledger')
    await wait(AGAIN_AFTER_MS)
  }
}

/** Returns `undefined` if the outcome is unknown: the other server is gone, or is no longer the leader. */
async function ask(
  { url, holder }: { readonly url: string; readonly holder: string },
  command: ForwardedCommand & { idempotencyKey: string },
): Promise<EnvelopeResponse | undefined> {
  const headers = new Headers({
    'content-type': 'application/json',
    'idempotency-key': command.idempotencyKey,
    'x-forwarded-for': command.ip,
    // The leader's own name: only servers of the same database know it.
    [FORWARDED_BY]: holder,
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
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    })
    const body = (await response.json()) as EnvelopeResponse['body']
    return response.status === 503 ? undefined : { status: response.status, body }
  } catch {
    return undefined
  }
}

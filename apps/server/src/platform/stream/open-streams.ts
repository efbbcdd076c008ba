import { eventFrame, retryFrame } from './frame.ts'
import type { Listener } from './listener.ts'

/** Milliseconds over which reconnecting clients are spread after a restart. */
const RECONNECT_MS = { atLeast: 500, atMost: 3_000 } as const
/** Session hashes in one statement. */
const SESSIONS_PER_QUERY = 1_000

export interface OpenStream {
  readonly listener: Listener
  /** The hash of its session's token; `undefined` for a stream without `account`. */
  readonly session: string | undefined
}

/** The open streams of this server, and what concerns all of them. */
export class OpenStreams {
  readonly #streams = new Set<OpenStream>()

  get size(): number {
    return this.#streams.size
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream)
  }

  delete(stream: OpenStream): void {
    this.#streams.delete(stream)
  }

  /** Keeps idle connections alive and cuts stalled ones. */
  beat(nowMs: number): void {
    for (const { listener } of this.#streams) listener.beat(nowMs)
  }

  /**
   * Ends the streams of sessions that are no longer good, on whichever server they ended.
   *
   * @param openSessions returns the hashes among these whose sessions are valid.
   */
  async endSignedOut(openSessions: (tokenHashes: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const listeners = new Map<string, Listener[]>()
    for (const { session, listener } of this.#streams) {
      if (session !== undefined) listeners.set(session, [...(listeners.get(session) ?? []), listener])
    }
    const hashes = [...listeners.keys()]
    for (let at = 0; at < hashes.length; at += SESSIONS_PER_QUERY) {
      const asked = hashes.slice(at, at + SESSIONS_PER_QUERY)
      const good = await openSessions(asked)
      const ended = asked.filter((hash) => !good.has(hash)).flatMap((hash) => listeners.get(hash) ?? [])
      for (const listener of ended) listener.end(eventFrame('signed_out', '{}'))
    }
  }

  /** Ends all streams; their clients reconnect in a moment. */
  drain(): void {
    for (const { listener } of this.#streams) endForReconnect(listener)
  }
}

/** Ends a stream whose client is to reconnect in a moment. */
export function endForReconnect(listener: Listener): void {
  const { atLeast, atMost } = RECONNECT_MS
  listener.end(retryFrame(Math.round(atLeast + Math.random() * (atMost - atLeast))))
}

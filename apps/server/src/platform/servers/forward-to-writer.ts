import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { NotReady } from '@clearwell/ledger/writer'
import type { AskLeader, ForwardedCommand } from './ask-leader.ts'
import type { ForwardedResponse } from './command-lines.ts'
import type { Leadership } from './leadership.ts'
import type { RememberedLeader } from './remember-leader.ts'
import type { ServerList } from './server-list.ts'

/** A leader that was killed keeps its lease for some seconds; another server takes over within this time. */
const GIVE_UP_AFTER_MS = 10_000
const AGAIN_AFTER_MS = 100

export interface ForwardOptions {
  readonly servers: Pick<ServerList, 'writer'> & Partial<Pick<RememberedLeader, 'forget'>>
  /** Returns whether this server takes commands itself. */
  readonly isWriting: () => boolean
  /** Runs a command that this server takes itself. Absent: it just runs. */
  readonly runHere?: Leadership['runHere']
  readonly askLeader: AskLeader
  readonly giveUpAfterMs?: number
}

/**
 * Runs a command on the leader: here while this server holds the lease, else on the server that does. If that server is
 * gone, or does not know the command, it retries on the next leader with the same idempotency key: nothing is done twice, and
 * nothing acknowledged is lost.
 *
 * @param here runs the command in this process.
 * @returns the result of `here`, or the response of the other server.
 * @throws NotReady when no server has taken the lease in time, or the database is away; Refusal and others from `here`.
 */
export async function forwardToWriter<Result>(
  { servers, isWriting, runHere = (run) => run(), askLeader, giveUpAfterMs = GIVE_UP_AFTER_MS }: ForwardOptions,
  command: ForwardedCommand,
  here: (idempotencyKey: string | undefined) => Promise<Result>,
): Promise<{ here: Result } | { there: ForwardedResponse }> {
  const giveUpAtMs = performance.now() + giveUpAfterMs
  let key = command.idempotencyKey
  for (;;) {
    if (isWriting()) {
      try {
        return { here: await runHere(() => here(key)) }
      } catch (error) {
        // Still the leader: the database is away, for every other server too. Without a key the outcome is unknown, so the
        // command must not be repeated.
        if (!(error instanceof NotReady) || isWriting() || key === undefined) throw error
      }
    } else {
      key ??= randomUUID()
      const leader = await servers.writer(command.call)
      // A leader of an older version may not know a new command. It waits for the next leader, as if there was none.
      const response = leader?.takesCall && (await askLeader(leader, { ...command, idempotencyKey: key }))
      if (response) return { there: response }
      servers.forget?.()
    }
    if (performance.now() > giveUpAtMs) throw new NotReady('no server writes the ledger')
    await wait(AGAIN_AFTER_MS)
  }
}

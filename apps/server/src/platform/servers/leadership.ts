import { setTimeout as wait } from 'node:timers/promises'
import type { Writer } from '@clearwell/ledger/writer'
import type { ServerList } from './server-list.ts'

/** Commands in progress may take this long before the lease is handed over. */
const COMMANDS_MS = 2_000

/** Decides whether commands run on this server, and passes that role on. */
export interface Leadership {
  /** True while this server takes commands itself. Otherwise they are forwarded, or wait for the next leader. */
  readonly isLeading: () => boolean
  /** Runs a command here. A hand-over waits until the command has its response. */
  runHere<Result>(command: () => Promise<Result>): Promise<Result>
  /**
   * Hands the lease to another server of the ledger, if there is one: first new commands wait, then those in progress finish,
   * then the lease is released. No command is rejected. A call during a hand-over waits for it.
   */
  handOver(): Promise<void>
}

export function createLeadership({
  writer,
  servers,
  commandsMs = COMMANDS_MS,
}: {
  readonly writer: Pick<Writer, 'isWriting' | 'handOver'>
  readonly servers: Pick<ServerList, 'hasOthers'>
  readonly commandsMs?: number
}): Leadership {
  let inProgress = 0
  /** Called when the last command in progress has its response. */
  let noteIdle = () => {}
  let isHandingOver = false
  let handingOver: Promise<void> | undefined

  async function handOver(): Promise<void> {
    // Alone, or with a database that does not respond: the lease stays until the writer closes.
    if (!writer.isWriting || !(await servers.hasOthers().catch(() => false))) return
    isHandingOver = true
    try {
      const tooLate = new AbortController()
      await Promise.race([
        new Promise<void>((resolve) => {
          noteIdle = resolve
          if (inProgress === 0) resolve()
        }),
        wait(commandsMs, undefined, { signal: tooLate.signal }).catch(() => {}),
      ])
      tooLate.abort()
      await writer.handOver()
    } finally {
      isHandingOver = false
    }
  }

  return {
    isLeading: () => writer.isWriting && !isHandingOver,
    async runHere(command) {
      inProgress++
      try {
        return await command()
      } finally {
        if (--inProgress === 0) noteIdle()
      }
    },
    handOver: () =>
      (handingOver ??= handOver().finally(() => {
        handingOver = undefined
      })),
  }
}

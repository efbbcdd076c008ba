import { readLogEnd } from '@clearwell/ledger/read-log'
import type { ReadPool } from '@clearwell/ledger/read-pool'
import { within } from '../time/within.ts'

/** A primary that does not answer this long is away: reads go on without it. */
const ANSWER_MS = 1_000
/** How often a primary that is away is asked again. */
const AGAIN_MS = 500

/** Where the primary is in its log. */
export interface PrimaryPosition {
  /**
   * Reads the end of the log, in bytes. Everything that was acknowledged before the call is before it. `undefined` while the primary
   * does not answer. Concurrent callers share a question, and none gets the answer to one from before its call.
   */
  read(): Promise<bigint | undefined>
  /** True from a question without an answer until the next answer. */
  readonly isAway: boolean
  /** Time since the primary's last answer, in milliseconds. */
  silentForMs(): number
  /** The end of its log in that answer, in bytes. */
  readonly last: bigint | undefined
  stop(): Promise<void>
}

/** @param pool leads to the primary, with one connection that nothing else uses: a busy pool must not look like a primary that is away. */
export function createPrimaryPosition(pool: ReadPool): PrimaryPosition {
  let asking: Promise<bigint | undefined> | undefined
  let next: Promise<bigint | undefined> | undefined
  let isAway = false
  let answeredMs = performance.now()
  let last: bigint | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function ask(): Promise<bigint | undefined> {
    try {
      const position = await within(readPosition(pool), ANSWER_MS)
      isAway = false
      answeredMs = performance.now()
      last = position
      return position
    } catch {
      isAway = true
      if (!isStopped) timer = setTimeout(() => void start(), AGAIN_MS).unref()
      return undefined
    } finally {
      asking = undefined
    }
  }

  function start(): Promise<bigint | undefined> {
    clearTimeout(timer)
    asking = ask()
    return asking
  }

  async function read(): Promise<bigint | undefined> {
    if (isAway) return undefined
    if (!asking) return start()
    // The question on its way may have been answered before something that this caller must see.
    next ??= asking.then(() => {
      next = undefined
      return read()
    })
    return next
  }

  return {
    read,
    get isAway() {
      return isAway
    },
    silentForMs: () => performance.now() - answeredMs,
    get last() {
      return last
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await asking
      await pool.close()
    },
  }
}

async function readPosition(pool: ReadPool): Promise<bigint> {
  const connection = await pool.connect()
  try {
    return await readLogEnd(connection)
  } finally {
    connection.release()
  }
}

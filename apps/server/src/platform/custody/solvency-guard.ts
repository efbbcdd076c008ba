import type { Database } from '@clearwell/ledger/database'
import { NotReady, type Writer } from '@clearwell/ledger/writer'
import { SOLVENCY_BREAKER } from '../ledger/breaker.ts'
import type { Finding, Solvency, SolvencyCheck } from './solvency.ts'
import { releaseSolvency, stopForSolvency } from './solvency-breaker.ts'

/** Checks that what is owed is there, and stops outgoing money and swaps while it is not. */
export interface SolvencyGuard {
  start(): void
  stop(): Promise<void>
  /** Checks now, and opens or closes the breaker. What the timer does, which tells `onError` of what this throws. */
  check(): Promise<Solvency>
  /**
   * Whether a voucher may be signed now: the check passes and the breaker is closed. A result of the last few seconds
   * serves where nothing was read off the chain since.
   *
   * @throws when the chain cannot be read: then nobody knows, and nothing may be signed.
   */
  beforeSigning(): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: 'insolvent' }>
}

export function createSolvencyGuard(options: {
  readonly db: Database
  readonly writer: Writer
  readonly solvency: SolvencyCheck
  readonly everyMs: number
  readonly onError: (error: unknown, doing: string) => void
}): SolvencyGuard {
  const { db, writer, solvency, everyMs, onError } = options
  /** The block of the last check while the breaker is open, if that check has passed. */
  let passedAt: bigint | undefined
  let reported: { fault?: string | undefined; surplus?: string | undefined } = {}
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let stopped = false

  async function act(result: Solvency): Promise<void> {
    if (result.ok) {
      // A surplus is somebody's gift to all; what it may mean the operator should know, once.
      report('surplus', result.surplus)
      report('fault', undefined)
      if (await isOpen()) await closeAfter(result.block)
    } else {
      passedAt = undefined
      report('fault', result.fault)
      await writer.execute(stopForSolvency(result.fault.text))
    }
  }

  /** It takes two passes at two blocks: one may be the answer of a node that lags behind, or lies. */
  async function closeAfter(block: bigint): Promise<void> {
    if (passedAt === undefined || passedAt === block) {
      passedAt = block
      return
    }
    const detail = `the check has passed at blocks ${passedAt} and ${block}`
    passedAt = undefined
    const { changed } = await writer.execute(releaseSolvency(detail))
    if (changed) onError(new Error(`outgoing money and swaps go on: ${detail}`), 'solvency')
  }

  /** Tells the operator what is new. */
  function report(kind: keyof typeof reported, finding: Finding | undefined): void {
    if (finding && finding.key !== reported[kind]) onError(new Error(finding.text), 'solvency')
    reported = { ...reported, [kind]: finding?.key }
  }

  async function isOpen(): Promise<boolean> {
    const rows = await db.query('select 1 from breakers where id = $1 and stopped_at is not null', [
      SOLVENCY_BREAKER.id,
    ])
    return rows.length > 0
  }

  /** One after the other: two checks at a time could open and close over each other. */
  function inTurn(reuse: boolean): Promise<Solvency> {
    const turn = running.then(async () => {
      const result = await solvency.run({ reuse })
      await act(result)
      return result
    })
    running = turn.catch(() => {})
    return turn
  }

  async function tick(): Promise<void> {
    if (!writer.isWriting) return
    try {
      await inTurn(false)
    } catch (error) {
      // Handed over to another server, which checks now; or nothing was read yet, so nothing is owed.
      if (error instanceof NotReady) return
      const text = `not checked: ${error instanceof Error ? error.message : error}`
      report('fault', { key: 'not checked', text })
    }
  }

  function schedule(inMs: number): void {
    if (stopped) return
    timer = setTimeout(() => void tick().finally(() => schedule(everyMs)), inMs)
  }

  return {
    // At once: a server that never lives for a minute checks all the same.
    start: () => schedule(0),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
    check: () => inTurn(false),
    async beforeSigning() {
      const { ok } = await inTurn(true)
      return ok && !(await isOpen()) ? { ok } : { ok: false, reason: 'insolvent' }
    },
  }
}

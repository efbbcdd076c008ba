import type { Database } from '@clearwell/ledger/database'
import { NotReady, type Writer } from '@clearwell/ledger/writer'
import { isBreakerOpen, SOLVENCY_BREAKER } from '../ledger/breaker.ts'
import { repeat } from '../time/repeat.ts'
import type { Finding, Solvency, SolvencyCheck } from './solvency.ts'
import { releaseSolvency, stopForSolvency } from './solvency-breaker.ts'

/** Checks that what is owed is there, and stops outgoing money and swaps while it is not. */
export interface SolvencyGuard {
  start(): void
  stop(): Promise<void>
  /** Checks now, and opens or closes the breaker. The timer does the same, and reports errors to `onError`. */
  check(): Promise<Solvency>
  /**
   * Whether a voucher may be signed now: the check passes and the breaker is closed. A result of the last few seconds
   * serves where nothing was read off the chain since.
   *
   * @throws when the chain cannot be read: then nobody knows, and nothing may be signed.
   */
  beforeSigning(): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: 'insolvent' }>
}

export interface SolvencyGuardOptions {
  readonly db: Database
  readonly writer: Writer
  readonly solvency: SolvencyCheck
  readonly everyMs: number
  readonly onError: (error: unknown, doing: string) => void
}

export function createSolvencyGuard(options: SolvencyGuardOptions): SolvencyGuard {
  const { writer, solvency, everyMs, onError } = options
  const breaker = openBreaker(options)
  let running: Promise<unknown> = Promise.resolve()

  /** One after the other: two checks in parallel could open and close over each other. */
  function inTurn(reuse: boolean): Promise<Solvency> {
    const turn = running.then(async () => {
      const result = await solvency.run({ reuse })
      await breaker.apply(result)
      return result
    })
    running = turn.catch(() => {})
    return turn
  }

  const timer = repeat({
    async look() {
      if (!writer.isWriting) return
      try {
        await inTurn(false)
      } catch (error) {
        // Another server writes now, and checks; or nothing was read yet, so nothing is owed.
        if (!(error instanceof NotReady)) breaker.reportUnchecked(error)
      }
    },
    everyMs,
    onError: (error) => onError(error, 'solvency'),
  })

  return {
    start() {
      // Immediately as well: a server that never lives for a minute checks too.
      void timer.now()
      timer.start()
    },
    async stop() {
      await timer.stop()
      await running
    },
    check: () => inTurn(false),
    async beforeSigning() {
      const { ok } = await inTurn(true)
      return ok && !(await breaker.isOpen()) ? { ok } : { ok: false, reason: 'insolvent' }
    },
  }
}

/** Opens and closes the breaker by the results of checks, and reports to the operator what is new. */
function openBreaker({ db, writer, onError }: SolvencyGuardOptions) {
  /** The block of the last check while the breaker is open, if that check has passed. */
  let passedAt: bigint | undefined
  let reported: { fault?: string | undefined; surplus?: string | undefined } = {}

  /** It takes two passes at two blocks: one may come from a node that lags behind, or lies. */
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

  /** Reports a finding once, as long as its key stays the same. */
  function report(kind: keyof typeof reported, finding: Finding | undefined): void {
    if (finding && finding.key !== reported[kind]) onError(new Error(finding.text), 'solvency')
    reported = { ...reported, [kind]: finding?.key }
  }

  const isOpen = () => isBreakerOpen(db, SOLVENCY_BREAKER.id)

  return {
    isOpen,
    async apply(result: Solvency): Promise<void> {
      if (result.ok) {
        // A surplus belongs to nobody yet; the operator should know of it, once.
        report('surplus', result.surplus)
        report('fault', undefined)
        if (await isOpen()) await closeAfter(result.block)
      } else {
        passedAt = undefined
        report('fault', result.fault)
        await writer.execute(stopForSolvency(result.fault.text))
      }
    },
    reportUnchecked(error: unknown): void {
      const text = `not checked: ${error instanceof Error ? error.message : error}`
      report('fault', { key: 'not checked', text })
    },
  }
}

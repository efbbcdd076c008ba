import type { Database } from '@clearwell/ledger/database'
import { NotReady, type Writer } from '@clearwell/ledger/writer'
import { isBreakerOpen, SOLVENCY_BREAKER } from '../ledger/breaker.ts'
import type { Report } from '../log/report.ts'
import { repeat } from '../time/repeat.ts'
import type { ReserveChecks } from './reserve-checks.ts'
import type { Finding, Solvency, SolvencyCheck } from './solvency.ts'
import { type CheckedVault, releaseSolvency, stopForSolvency } from './solvency-breaker.ts'

/** Stops withdrawals and swaps while the vault holds less than the ledger owes. */
export interface SolvencyGuard {
  start(): void
  stop(): Promise<void>
  /** Has the timer check soon, without waiting for it: the local controls have moved the clock. */
  wake(): void
  /** Checks now, and opens or closes the breaker. The timer does the same, and reports errors to `onError`. */
  check(): Promise<Solvency>
  /**
   * Decides if a voucher may be signed now: the check passes and the breaker is closed. Reuses a result of the last few
   * seconds if no new block was read since.
   *
   * @throws when the chain cannot be read: solvency is then unknown, so nothing may be signed.
   */
  beforeSigning(): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: 'insolvent' }>
}

/** The time between two checks of a timer that is woken, at least. */
const WOKEN_GAP_MS = 1_000

export interface SolvencyGuardOptions {
  readonly db: Database
  readonly writer: Writer
  readonly solvency: SolvencyCheck
  readonly reserveChecks: Pick<ReserveChecks, 'save'>
  /** The vault that `solvency` checks. */
  readonly checked: CheckedVault
  readonly everyMs: number
  readonly onError: Report
}

export function createSolvencyGuard(options: SolvencyGuardOptions): SolvencyGuard {
  const { writer, solvency, reserveChecks, everyMs, onError } = options
  const breaker = openBreaker(options)
  let running: Promise<unknown> = Promise.resolve()

  /** Runs checks one at a time: concurrent checks could undo each other's change of the breaker. */
  function inTurn(reuse: boolean): Promise<Solvency> {
    const turn = running.then(async () => {
      const result = await solvency.run({ reuse })
      await breaker.apply(result)
      // Not before each signature: a voucher need not wait for it. A failure costs only the age of the public proof.
      if (!reuse || !result.ok) await reserveChecks.save(result.check).catch((error) => onError(error, 'solvency'))
      return result
    })
    running = turn.catch(() => {})
    return turn
  }

  const timer = repeat({
    async run() {
      if (!writer.isWriting) return
      try {
        await inTurn(false)
      } catch (error) {
        // Another server is the leader and checks, or no block was read yet, so nothing is owed.
        if (!(error instanceof NotReady)) breaker.reportUnchecked(error)
      }
    },
    everyMs,
    gapMs: WOKEN_GAP_MS,
    onError: (error) => onError(error, 'solvency'),
  })

  return {
    start() {
      // Checks immediately as well, for a server that restarts within every few seconds.
      void timer.now()
      timer.start()
    },
    async stop() {
      await timer.stop()
      await running
    },
    wake: timer.wake,
    check: () => inTurn(false),
    async beforeSigning() {
      const { ok } = await inTurn(true)
      return ok && !(await breaker.isOpen()) ? { ok } : { ok: false, reason: 'insolvent' }
    },
  }
}

/** Opens and closes the breaker according to the checks, and reports new findings to the operator. */
function openBreaker({ db, writer, checked, onError }: SolvencyGuardOptions) {
  /** The block of the last check, if it passed while the breaker was open. */
  let passedAt: bigint | undefined
  let reported: { fault?: string | undefined; surplus?: string | undefined } = {}

  /** Closes the breaker after passes at two blocks: one alone may come from a lagging or lying node. */
  async function closeAfter(block: bigint): Promise<void> {
    if (passedAt === undefined || passedAt === block) {
      passedAt = block
      return
    }
    const detail = `the check has passed at blocks ${passedAt} and ${block}`
    passedAt = undefined
    const { changed } = await writer.execute(releaseSolvency(detail, checked))
    if (changed) onError(new Error(`withdrawals and swaps resume: ${detail}`), 'solvency')
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
        // A surplus has no owner yet: the operator is notified once.
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

import { createStore } from '@clearwell/ui/browser/store.ts'
import type { Rows, Step } from '@clearwell/verify/verify-balance'
import { ApiError, NoResponseError } from '../../../api/api-error.ts'
import { call } from '../../../api/client.ts'
import { CheckProblem, type Collected, collectEvidence } from './collect-evidence.ts'
import { compareWithChain } from './compare-with-chain.ts'
import { type CheckFacts, decideOutcome, type Failure, type Outcome } from './decide-outcome.ts'
import { failedCheckOf, keptCheckOf } from './kept-check.ts'

/** More rows than this are not kept with a failed check: the storage of a browser is small. In characters. */
const MOST_KEPT_ROWS = 300_000

/** The check of one account on this page. */
export type CheckState =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly owner: string; readonly steps: readonly Step[] }
  | { readonly status: 'done'; readonly owner: string; readonly steps: readonly Step[]; readonly outcome: Outcome }

export const checkStore = createStore<CheckState>({ status: 'idle' })

interface Verified {
  readonly steps: readonly Step[]
  readonly rows: Rows | undefined
  readonly signer: string | undefined
}

let running: AbortController | undefined

/**
 * Checks the balance of the signed-in account, and keeps the proof if it holds, or all that shows the fault if it does not. A check that
 * is pressed shows its steps and ends a quiet one; a quiet one is seen only if something is wrong.
 *
 * @param owner the account's address in lower case.
 */
export async function checkBalance(owner: string, { isQuiet = false } = {}): Promise<void> {
  if (isQuiet && running) return
  running?.abort()
  const control = new AbortController()
  running = control
  const show = (state: CheckState) => {
    if (!control.signal.aborted) checkStore.set(state)
  }
  let steps: readonly Step[] = []
  if (!isQuiet) show({ status: 'running', owner, steps })
  const { facts, checked } = await findFacts(owner, {
    isQuiet,
    signal: control.signal,
    onStep(step) {
      steps = [...steps, step]
      if (!isQuiet) show({ status: 'running', owner, steps })
    },
  })
  if (control.signal.aborted) return
  running = undefined
  const outcome = decideOutcome(facts)
  if (checked) keep(owner, outcome, checked)
  if (!isQuiet || outcome.kind === 'broken') show({ status: 'done', owner, steps, outcome })
}

/** Ends a check whose sheet was closed. */
export function stopCheck(): void {
  running?.abort()
  running = undefined
  if (checkStore.get().status === 'running') checkStore.set({ status: 'idle' })
}

async function findFacts(
  owner: string,
  options: { readonly isQuiet: boolean; readonly signal: AbortSignal; readonly onStep: (step: Step) => void },
): Promise<{ facts: CheckFacts; checked?: Checked }> {
  const { signal, onStep } = options
  const kept = keptCheckOf(owner).get()
  try {
    if (!globalThis.crypto?.subtle) throw new CheckProblem('browser')
    const collected = await collectEvidence({ account: owner, kept, ...options })
    const byServer = await verifyInWorker(collected, { signal, onStep })
    const onChain = await compareWithChain(collected.chain)
    onStep(onChain)
    const verified = { ...byServer, steps: [...byServer.steps, onChain] }
    const leaves = collected.evidence.mine.leaves.filter(({ kind }) => kind === 'user').length
    const rows = verified.rows?.postings ?? 0
    const hasMoney = leaves === 0 && (await readsMoney(signal))
    return {
      facts: { kind: 'verified', steps: verified.steps, account: { leaves, rows, hasMoney } },
      checked: { collected, verified },
    }
  } catch (error) {
    const why = failureOf(error)
    // Once a check has held, a server without a proof is a failure.
    return {
      facts: { kind: 'failed', why: why === 'no_proof' && !kept ? 'not_posted' : why, isOnline: navigator.onLine },
    }
  }
}

/** Returns whether the account has money now: then the next header will contain it. */
async function readsMoney(signal: AbortSignal): Promise<boolean> {
  const balances = await call('balances', {}, { signal })
  return balances.some(({ total }) => /[1-9]/.test(total))
}

function failureOf(error: unknown): Failure {
  if (error instanceof CheckProblem) return error.why
  if (error instanceof NoResponseError) return 'no_response'
  if (error instanceof ApiError) {
    if (error.codeName === 'not_found') return 'no_proof'
    return error.isTransient ? 'busy' : 'rejected'
  }
  // A download that broke off, or code that did not load.
  return error instanceof TypeError ? 'no_response' : 'browser'
}

interface Checked {
  readonly collected: Collected
  readonly verified: Verified
}

function keep(owner: string, outcome: Outcome, { collected, verified }: Checked): void {
  const { evidence, rows: text } = collected
  const { steps, rows, signer } = verified
  const checkedAt = new Date().toISOString()
  if (outcome.kind === 'holds' && rows && signer !== undefined) {
    const { signed, mine } = evidence
    const before = keptCheckOf(owner).get()
    // Rows that continue a kept check begin where that one ended, so its beginning is theirs.
    const archivedUntil = rows.archived?.at ?? (evidence.from === '1' ? undefined : before?.archivedUntil)
    const cut = archivedUntil === undefined ? {} : { archivedUntil }
    keptCheckOf(owner).set({ checkedAt, signed, mine, balances: rows.balances, signer, ...cut })
  }
  if (outcome.kind === 'broken') {
    const wrong = steps.find((step) => step.state === 'wrong')
    const detail = wrong?.state === 'wrong' ? wrong.detail : ''
    const kept = text.length > MOST_KEPT_ROWS ? null : text
    failedCheckOf(owner).set({ checkedAt, fault: outcome.fault, detail, evidence, rows: kept })
  }
}

type FromWorker = { readonly step: Step } | { readonly result: Verified }

/** @throws Error if the worker cannot start. */
function verifyInWorker(
  { evidence, rows }: Collected,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: (step: Step) => void },
): Promise<Verified> {
  const worker = new Worker(new URL('./check-balance.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Verified>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) =>
      'step' in data ? onStep(data.step) : resolve(data.result),
    )
    worker.addEventListener('error', ({ message }) => reject(new TypeError(message)))
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.postMessage({ evidence, rows })
  }).finally(() => worker.terminate())
}

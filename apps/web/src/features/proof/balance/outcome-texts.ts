import { formatTimeOfDay } from '@clearwell/ui/i18n/format-date.ts'
import type { Fault, StepName } from '@clearwell/verify/verify-balance'
import { serverNowMs } from '../../../api/server-clock.ts'
import { m } from '../../../generated/messages.ts'
import type { UnknownReason } from './decide-outcome.ts'

export const STEP_NAMES: readonly StepName[] = ['leaves', 'path', 'header', 'signature', 'rows', 'chain']

export const STEP_LABELS: Record<StepName, () => string> = {
  leaves: m.proof_balance_step_leaves,
  path: m.proof_balance_step_path,
  header: m.proof_balance_step_header,
  signature: m.proof_balance_step_signature,
  rows: m.proof_balance_step_rows,
  chain: m.proof_balance_step_chain,
}

export const FAULT_TEXTS: Record<Fault, () => string> = {
  leaves: m.proof_balance_fault_leaves,
  leaf_gone: m.proof_balance_fault_leaf_gone,
  path: m.proof_balance_fault_path,
  header: m.proof_balance_fault_header,
  header_older: m.proof_balance_fault_header_older,
  header_changed: m.proof_balance_fault_header_changed,
  signature: m.proof_balance_fault_signature,
  bookkeeper: m.proof_balance_fault_bookkeeper,
  rows: m.proof_balance_fault_rows,
  chain: m.proof_balance_fault_chain,
}

export const UNKNOWN_TEXTS: Record<UnknownReason, () => string> = {
  offline: m.proof_balance_unknown_offline,
  no_response: m.proof_balance_unknown_no_response,
  off: m.proof_balance_unknown_off,
  no_key: m.proof_balance_unknown_no_key,
  no_proof: () => m.proof_balance_unknown_no_proof({ time: nextHour() }),
  not_posted: () => m.proof_balance_not_posted_text({ time: nextHour() }),
  busy: m.proof_balance_unknown_busy,
  rejected: m.proof_balance_unknown_rejected,
  browser: m.proof_balance_unknown_browser,
  moved: m.proof_balance_unknown_moved,
  long: m.proof_balance_unknown_long,
  incomplete: m.proof_balance_unknown_incomplete,
  chain: m.proof_balance_unknown_chain,
  nothing: m.proof_balance_nothing_text,
  not_yet: () => m.proof_balance_not_yet_text({ time: nextHour() }),
}

const HOUR_MS = 3_600_000

/** A check uses the first header of an hour in UTC, which the server makes within seconds. */
function nextHour(): string {
  const nowMs = serverNowMs() ?? Date.now()
  return formatTimeOfDay(new Date(nowMs - (nowMs % HOUR_MS) + HOUR_MS).toISOString())
}

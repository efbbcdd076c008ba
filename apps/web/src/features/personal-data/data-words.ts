import type { DataGroup, KeptReason } from '@clearwell/api/personal-data.routes'
import { m } from '../../generated/messages.ts'

interface GroupWords {
  readonly name: () => string
  /** The stored facts. */
  readonly text: () => string
  /** How long, where a row is deleted some time after its end. */
  readonly kept?: (days: number) => string
  /** How long, where it differs within the group. */
  readonly keptPart?: () => string
}

/** A group of a newer server has no words, and is left out. */
export const GROUP_WORDS: Readonly<Record<DataGroup, GroupWords>> = {
  account: { name: m.data_account, text: m.data_account_text, keptPart: m.data_account_kept },
  terms: { name: m.data_terms, text: m.data_terms_text },
  sessions: {
    name: m.data_sessions,
    text: m.data_sessions_text,
    kept: (days) => m.data_sessions_kept({ days }),
  },
  devices: { name: m.data_devices, text: m.data_devices_text, kept: (days) => m.data_devices_kept({ days }) },
  notices: { name: m.data_notices, text: m.data_notices_text, keptPart: m.data_notices_kept },
  alerts: { name: m.data_alerts, text: m.data_alerts_text, kept: (days) => m.data_alerts_kept({ days }) },
  entries: { name: m.data_entries, text: m.data_entries_text },
  transfers: { name: m.data_transfers, text: m.data_transfers_text, keptPart: m.data_transfers_kept },
  swaps: { name: m.data_swaps, text: m.data_swaps_text },
  lending: { name: m.data_lending, text: m.data_lending_text },
  boxes: { name: m.data_boxes, text: m.data_boxes_text },
  ranks: { name: m.data_ranks, text: m.data_ranks_text, keptPart: m.data_ranks_kept },
  uid: { name: m.data_uid, text: m.data_uid_text },
  commands: { name: m.data_commands, text: m.data_commands_text, kept: (days) => m.data_commands_kept({ days }) },
  operator: { name: m.data_operator, text: m.data_operator_text },
}

export const REASON_WORDS: Readonly<Record<KeptReason, () => string>> = {
  ledger: m.data_why_ledger,
  agreement: m.data_why_agreement,
  account: m.data_why_account,
  in_use: m.data_why_in_use,
  choice: m.data_why_choice,
  uid: m.data_why_uid,
  repeats: m.data_why_repeats,
  audit: m.data_why_audit,
}

/** How long a group is kept, in words. */
export function keptText(group: DataGroup, days: number | null): string {
  const { kept, keptPart } = GROUP_WORDS[group]
  return kept && days !== null ? kept(days) : (keptPart ?? m.data_kept_always)()
}

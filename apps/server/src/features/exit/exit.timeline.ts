import { exitActs, exits } from '../../platform/ledger/leaving-accounts.ts'
import type { TimelineSource } from '../../platform/operator/timeline-source.ts'

/** Exits of an account. What it was paid are entries of the ledger. */
export const EXIT_TIMELINE: readonly TimelineSource[] = [
  {
    ...{ kind: 'order', table: exitActs, account: 'user_id', at: 'at' },
    ...{ what: `'exit: ' || kind`, detail: `'block ' || block` },
  },
  {
    ...{ kind: 'order', table: exits, account: 'id', at: 'changed_at' },
    ...{ what: `'exit ' || state` },
  },
]

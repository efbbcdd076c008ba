import { exits } from '../../platform/ledger/leaving-accounts.ts'
import type { TimelineSource } from '../../platform/operator/timeline-source.ts'

/** The newest exit of an account. What it was paid are entries of the ledger. */
export const EXIT_TIMELINE: readonly TimelineSource[] = [
  {
    ...{ kind: 'order', table: exits, account: 'id', at: 'exit_at' },
    ...{ what: `'exit requested'`, detail: `'block ' || block` },
  },
  {
    ...{ kind: 'order', table: exits, account: 'id', at: 'changed_at' },
    ...{ what: `'exit ' || state` },
  },
]

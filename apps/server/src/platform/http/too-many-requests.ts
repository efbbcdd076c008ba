import type { ReasonOf } from '@clearwell/api/codes'
import { Refusal } from '@clearwell/ledger/refusal'

/** A caller has used up a limit. The response names the wait in `Retry-After`. */
export class TooManyRequests extends Refusal<'too_many_requests'> {
  readonly retryAfterS: number

  constructor({ waitMs, reason }: { readonly waitMs: number; readonly reason?: ReasonOf<'too_many_requests'> }) {
    super('too_many_requests', reason === undefined ? {} : { reason })
    this.retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
  }
}

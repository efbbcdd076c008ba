import { Refusal } from '@clearwell/ledger/refusal'

/** A caller has used up a limit. The response names the wait in `Retry-After`. */
export class TooManyRequests extends Refusal<'too_many_requests'> {
  readonly retryAfterS: number

  constructor({ waitMs, ...data }: { readonly waitMs: number; readonly reason?: string }) {
    super('too_many_requests', data)
    this.retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
  }
}

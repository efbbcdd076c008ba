import type { RefusalName } from '@clearwell/api/codes'
import { Refusal } from '@clearwell/ledger/refusal'

/** A refusal under one of the API's code names. */
export function refusal(name: RefusalName, data: Readonly<Record<string, unknown>> = {}): Refusal<RefusalName> {
  return new Refusal(name, data)
}

/** A field that the schema let pass but a rule does not. */
export function invalidField(field: string, reason: string): Refusal<RefusalName> {
  return refusal('invalid_input', { fields: { [field]: reason } })
}

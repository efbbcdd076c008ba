import type { RefusalData, RefusalName } from '@clearwell/api/codes'
import { Refusal } from '@clearwell/ledger/refusal'

/** The data of a refusal as an argument, which may be left out where no field is required. */
type DataArgument<Name extends RefusalName> =
  Record<never, never> extends RefusalData<Name> ? [data?: RefusalData<Name>] : [data: RefusalData<Name>]

/**
 * A refusal under one of the API's code names, with the data that `codes.ts` declares for it.
 *
 * @example throw refusal('not_open', { opens_at: opensAt.toISOString() })
 */
export function refusal<Name extends RefusalName>(name: Name, ...[data]: DataArgument<Name>): Refusal<Name> {
  return new Refusal(name, data)
}

/** A field that the schema let pass but a rule does not. */
export function invalidField(field: string, reason: string): Refusal<'invalid_input'> {
  return refusal('invalid_input', { fields: { [field]: reason } })
}

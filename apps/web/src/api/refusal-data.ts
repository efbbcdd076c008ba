import type { RefusalData, RefusalName } from '@clearwell/api/codes'
import type { KnownCodeName } from '../generated/code-names.ts'
import { refusalFields } from '../generated/refusal-fields.ts'
import { ApiError } from './api-error.ts'

/** The data of a refusal as it may arrive: a server of another version may leave out any field. */
export type KnownData<Name extends RefusalName> = {
  readonly [Field in keyof RefusalData<Name> as NonNullable<RefusalData<Name>[Field]> extends string | number
    ? Field
    : never]?: NonNullable<RefusalData<Name>[Field]>
}

/** A value for each reason that a feature's commands meet. Other reasons of the same code may have one. */
export type ByReason<Own extends string, All extends string, Value = () => string> = Readonly<Record<Own, Value>> & {
  readonly [Other in Exclude<All, Own>]?: Value
}

/**
 * The data of a refusal with this code. A field with another type, and a reason that this build does not know, are left out: the
 * message of the server explains those.
 *
 * @returns `undefined` for any other error.
 * @example const opensAt = refusalData(error, 'not_open')?.opens_at
 */
export function refusalData<Name extends RefusalName & KnownCodeName>(
  error: unknown,
  name: Name,
): KnownData<Name> | undefined {
  if (!(error instanceof ApiError) || error.codeName !== name) return undefined
  const came = Object.entries(error.data ?? {}).filter(([field, value]) => isOf(refusalFields[name][field], value))
  return Object.fromEntries(came) as KnownData<Name>
}

function isOf(kind: 'string' | 'number' | readonly string[] | undefined, value: unknown): boolean {
  return typeof kind === 'object' ? kind.includes(value as string) : typeof value === kind
}

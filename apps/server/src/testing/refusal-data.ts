import { CODES, type RefusalData, type RefusalName } from '@clearwell/api/codes'
import * as z from 'zod/mini'

/** The data of a refusal with this code, compared with its declaration. */
export function dataOfRefusal<Name extends RefusalName>(
  name: Name,
  { code, data }: { readonly code: number; readonly data: unknown },
): RefusalData<Name> {
  if (code !== CODES[name].code) throw new Error(`${code} is not the code of ${name}`)
  return z.parse(CODES[name].data, data) as RefusalData<Name>
}

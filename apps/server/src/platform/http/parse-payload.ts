import * as z from 'zod/mini'
import { refusal } from '../ledger/refuse.ts'

/** @throws Refusal `invalid_input`, which names each field at fault with its reason. */
export function parsePayload<Schema extends z.core.$ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, body ?? {})
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message
  throw refusal('invalid_input', { fields })
}

import { CODES } from '@clearwell/api/codes'
import { fieldsOf, jsonSchema } from './json-schema.ts'

/** Every code of the envelope, for the references: its message in English and the fields of its data, in Markdown. */
export function describeCodes(): { code: number; http: number; msg: string; data: string }[] {
  return Object.values(CODES).map(({ code, http, msg, data }) => ({ code, http, msg: msg.en, data: fieldsText(data) }))
}

function fieldsText(data: (typeof CODES)[keyof typeof CODES]['data']): string {
  const schema = jsonSchema(data, 'output')
  if (schema.type !== 'object') return 'the response of the call'
  return fieldsOf(schema)
    .map(({ path, type, isRequired }) => `\`${path}\`${isRequired ? '' : ' (optional)'}: ${type}`)
    .join('; ')
}

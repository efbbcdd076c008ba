/**
 * Writes values as a PostgreSQL array literal: `{a,"b c",NULL}`. Both drivers pass text through unchanged, which takes a
 * fifth of the time that their own array serialization takes.
 */
export function arrayLiteral(values: readonly (string | bigint | number | null)[]): string {
  let text = '{'
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ','
    const value = values[index] as string | bigint | number | null
    text += typeof value === 'string' ? quote(value) : value === null ? 'NULL' : value.toString()
  }
  return `${text}}`
}

/** Text that needs no quotes: nearly all, such as ids, accounts and numbers. */
const PLAIN = /^(?!null$)[\w:.-]+$/i

function quote(text: string): string {
  return PLAIN.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

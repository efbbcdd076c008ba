/** Text that stands in an array without quotes and means itself. */
const PLAIN = /^[\w:.+-]+$/

/**
 * Writes values as PostgreSQL reads an array: `{a,"b c",NULL}`. Both drivers pass a text on as it is, which takes a fifth
 * of what it takes them to write the array themselves.
 */
export function arrayLiteral(values: readonly (string | bigint | number | null)[]): string {
  let text = '{'
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ','
    const value = values[index] as string | bigint | number | null
    text += typeof value === 'string' ? quoted(value) : value === null ? 'NULL' : value.toString()
  }
  return `${text}}`
}

function quoted(text: string): string {
  // Unquoted, the word null would be no text.
  if (PLAIN.test(text) && !/^null$/i.test(text)) return text
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** What a spreadsheet would take for a formula, in all that it accepts as one: also the full-width signs. */
const FORMULA = /^[\s]*[=+\-@＝＋－＠]/
const NUMBER = /^-?\d+(\.\d+)?$/

/**
 * One line of a CSV file (RFC 4180), with its line end. A cell that is no number never begins like a formula: a
 * spreadsheet would run it.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(text: string): string {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

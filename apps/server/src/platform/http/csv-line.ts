/**
 * Formats one line of a CSV file (RFC 4180) with its line end. Cells that look like a formula are escaped, unless they
 * are numbers.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** Cells that a spreadsheet would run as a formula, full-width signs included. */
const FORMULA = /^[\s]*[=+\-@＝＋－＠]/
const NUMBER = /^-?\d+(\.\d+)?$/

function cell(text: string): string {
  const escaped = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

import { parse } from '../boundaries/sources.ts'
import type { Breakage } from './breakage.ts'

/**
 * Returns a file's text with the breakage made.
 *
 * @throws Error where the edit no longer fits the code, or leaves code that does not parse.
 */
export function breakSource({ row, file, edit }: Breakage, text: string): string {
  const { program } = parse({ path: file, text })
  const replacements = edit.find(program, text).toSorted((a, b) => b.start - a.start)
  let broken = text
  for (const { start, end, text: code } of replacements) broken = broken.slice(0, start) + code + broken.slice(end)
  if (broken === text) throw new Error(`The breakage of §${row} no longer fits ${file}: ${edit.about}.`)
  const { errors } = parse({ path: file, text: broken })
  if (errors.length > 0) throw new Error(`The breakage of §${row} leaves ${file} unreadable: ${errors[0]}`)
  return broken
}

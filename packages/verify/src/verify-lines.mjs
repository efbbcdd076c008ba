// @ts-check
import { sha256, toHex } from './hash-bytes.mjs'

/**
 * Checks a file of lines that each begin with `sha256(hash of the line before || text)`, and stops at the first fault.
 *
 * @template Counts
 * @param {Iterable<string> | AsyncIterable<string>} lines without their ends
 * @param {{ line(value: any, number: number): void | Promise<void>, end(): void | Promise<void>, readonly counts: Counts }} check
 * receives the value of each line with its number, and the end. It throws an error for a fault.
 * @returns {Promise<{ valid: true, counts: { lines: number } & Counts } | { valid: false, line: number, fault: string }>}
 */
export async function verifyLines(lines, check) {
  let number = 0
  let before = ''
  try {
    for await (const line of lines) {
      number += 1
      const text = line.slice(65)
      const hash = toHex(await sha256(new TextEncoder().encode(before + text))).slice(2)
      if (line.slice(0, 65) !== `${hash} `) throw new Error('the line was changed, or the one before is missing')
      before = hash
      await check.line(JSON.parse(text), number)
    }
    await check.end()
  } catch (error) {
    return { valid: false, line: number, fault: error instanceof Error ? error.message : `${error}` }
  }
  return { valid: true, counts: { lines: number, ...check.counts } }
}

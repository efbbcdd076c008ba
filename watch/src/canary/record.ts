import { type Hex, keccak256, type LocalAccount, stringToHex } from 'viem'
import type { CanaryStore } from './canary-store.ts'

/** A line of the record without its place and signature. */
export type Entry = Readonly<Record<string, string | number | undefined>> & { readonly what: string }

/** Adds a signed line, which names the one before: a line that was changed or removed later shows. */
export async function addLine(store: CanaryStore, account: LocalAccount, entry: Entry): Promise<void> {
  const last = store.lines.at(-1)
  const previous: Hex | null = last === undefined ? null : keccak256(stringToHex(last))
  const line = { ...entry, account: account.address, previous }
  await store.append({ ...line, signature: await account.signMessage({ message: JSON.stringify(line) }) })
}

/** Returns whether the record has a line of this transaction. */
export function hasTransaction({ lines }: Pick<CanaryStore, 'lines'>, hash: Hex): boolean {
  return lines.some((line) => (JSON.parse(line) as { tx?: string }).tx === hash)
}

/** The same fault has a new line once a day, in seconds. */
const REMIND_S = 86_400

/** Returns whether the last line is this fault, of the last day. */
export function isNoted({ lines }: Pick<CanaryStore, 'lines'>, why: string, now: number): boolean {
  const last = lines.at(-1)
  if (last === undefined) return false
  const { why: noted, at } = JSON.parse(last) as { why?: string; at?: string }
  return noted === why && now - Date.parse(at ?? '') / 1_000 < REMIND_S
}

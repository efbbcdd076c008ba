import type { EntryFields } from '../ledger-lines.ts'

const USER = `0x${'a1'.repeat(20)}`
const OTHER = `0x${'b2'.repeat(20)}`

/** Writes an entry as `account asset units` words. `a` and `b` are users: `a:available` is an account of the first. */
export function entryOf(kind: string, lines: readonly string[], reference = '0x01'): EntryFields {
  const postings = lines.map((line) => {
    const [account = '', asset = '', units = ''] = line.split(' ')
    return [accountOf(account), asset, units] as const
  })
  return ['1', kind, '2026-11-28T05:00:00.000Z', reference, postings]
}

export function accountOf(name: string): string {
  return name.replace(/^a:/, `user:${USER}:`).replace(/^b:/, `user:${OTHER}:`)
}

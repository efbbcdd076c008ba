import type { EntryDraft, RowWrite, State } from '@clearwell/ledger/command'

/** What a command has planned so far, for those parts of it that come later to see. */
export interface Draft extends State {
  add(planned: { entries?: readonly EntryDraft[]; rows?: readonly RowWrite[] }): void
}

/** A draft on committed state, and what it comes to. */
export function draftOn(state: State): { draft: Draft; entries: EntryDraft[]; rows: Map<string, RowWrite> } {
  const entries: EntryDraft[] = []
  const rows = new Map<string, RowWrite>()
  const changes = new Map<string, bigint>()
  const draft: Draft = {
    balance: (account, asset) => state.balance(account, asset) + (changes.get(`${account} ${asset}`) ?? 0n),
    row(table, id) {
      const written = rows.get(`${table.name}:${id}`)
      // The row was checked against its table when it was written.
      return written ? (written.row as never) : state.row(table, id)
    },
    add(planned) {
      for (const entry of planned.entries ?? []) {
        entries.push(entry)
        for (const { account, asset, units } of entry.postings) {
          const key = `${account} ${asset}`
          changes.set(key, (changes.get(key) ?? 0n) + units)
        }
      }
      for (const each of planned.rows ?? []) rows.set(`${each.table.name}:${each.row.id}`, each)
    },
  }
  return { draft, entries, rows }
}

/** Names one log of one chain. */
export function movementId(chainId: number, { txHash, logIndex }: { txHash: string; logIndex: number }): string {
  return `${chainId}:${txHash}:${logIndex}`
}

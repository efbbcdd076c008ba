import { m } from '../../generated/messages.ts'

const SOURCES: Readonly<Record<string, () => string>> = {
  swap: m.box_source_swap,
  reserve_shared: m.box_source_interest,
  box_expiry: m.box_source_expired,
  box_forfeit: m.box_source_forfeit,
}

/** Names a ledger entry of this kind as a source of the pool. A newer server may have kinds that this build does not know. */
export function sourceText(kind: string): string {
  return (SOURCES[kind] ?? m.box_source_other)()
}

/** An event of the vault or of its keys contract. Numbers are decimal text. */
export interface VaultEvent {
  /** The vault that it is about, in lower case. */
  readonly vault: string
  readonly name: string
  readonly block: string
  readonly index: number
  readonly tx: string
  /** Of its block, in seconds since 1970. */
  readonly timeS: number
  readonly args: Readonly<Record<string, string>>
}

/** A key that the vault has or had. */
export interface VaultKey {
  readonly role: string
  readonly address: string
  /** On the vault's clock. */
  readonly activeAt: number
  /** Of the block that removed it; absent while it is registered. */
  readonly removedAtS?: number
}

/** By `IVaultKeys.Role`. */
const ROLES = ['none', 'signer', 'root key', 'bookkeeper']

export const roleName = (role: string | undefined): string => ROLES[Number(role)] ?? `role ${role}`

/** Returns every key that the events of one vault name. */
export function keysOf(events: readonly VaultEvent[]): VaultKey[] {
  let keys: VaultKey[] = []
  for (const { name, args, timeS } of events) {
    const { role, key = '', activeAt } = args
    const address = key.toLowerCase()
    if (name === 'KeyAdded') keys.push({ role: roleName(role), address, activeAt: Number(activeAt) })
    if (name !== 'KeyRemoved') continue
    keys = keys.map((each) =>
      each.address === address && each.removedAtS === undefined ? { ...each, removedAtS: timeS } : each,
    )
  }
  return keys
}

/**
 * Tells whether a key could sign a header. A key that was removed still counts for the headers of before.
 *
 * @param at.clock the vault's clock now
 * @param at.timeS of the header's cursor
 */
export function hasKey(
  keys: readonly VaultKey[],
  role: 'root key' | 'bookkeeper',
  address: string | undefined,
  at: { readonly clock: number; readonly timeS: number },
): boolean {
  return keys.some(
    (key) =>
      key.role === role &&
      key.address === address?.toLowerCase() &&
      key.activeAt <= at.clock &&
      (key.removedAtS === undefined || at.timeS <= key.removedAtS),
  )
}

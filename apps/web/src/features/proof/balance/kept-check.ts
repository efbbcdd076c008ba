import { stored } from '@clearwell/ui/browser/stored.ts'
import type { Evidence, Fault, Kept, Signed } from '@clearwell/verify/verify-balance'

/** A check that held. The next one compares its header and its balances with what the server gives then. */
export interface KeptCheck {
  readonly checkedAt: string
  readonly signed: Signed
  readonly mine: Evidence['mine']
  /** By place and asset, after the rows up to the header. */
  readonly balances: Kept['balances']
  /** The root key that signed, as an address. */
  readonly signer: string
  /** The time up to which the rows are in an archive: they were not checked. */
  readonly archivedUntil?: string
}

/** A check that did not hold, with all that shows it. */
export interface FailedCheck {
  readonly checkedAt: string
  readonly fault: Fault
  readonly detail: string
  readonly evidence: Evidence
  /** The account's rows as the server gave them. null: too many to keep on the device. */
  readonly rows: string | null
}

/** The last check of the account's balance that held, with its proof and header. */
const checks = stored<KeptCheck>({
  key: 'clearwell.until-disconnect.balance-check',
  scope: 'device',
  owner: true,
  clearsOnDisconnect: true,
  schema: (value) => (isCheck(value) ? value : undefined),
})

/** The last check of the account's balance that did not hold, until its owner removes it. */
const failures = stored<FailedCheck>({
  key: 'clearwell.until-disconnect.balance-fault',
  scope: 'device',
  owner: true,
  clearsOnDisconnect: true,
  schema: (value) => (isFailure(value) ? value : undefined),
})

/** The time of the last quiet check of the account's balance, in milliseconds. */
const tries = stored<number>({
  key: 'clearwell.until-disconnect.balance-tried',
  scope: 'device',
  owner: true,
  clearsOnDisconnect: true,
  schema: (value) => (typeof value === 'number' ? value : undefined),
})

export const keptCheckOf = (owner: string) => checks.of(owner)
export const failedCheckOf = (owner: string) => failures.of(owner)
export const triedAtOf = (owner: string) => tries.of(owner)

/** The part of a kept check that the verification compares. */
export function keptOf({ signed, mine, balances, signer }: KeptCheck): Kept {
  const { number, hash, header } = signed
  const assets = mine.leaves.filter((leaf) => leaf.kind === 'user').map(({ asset }) => asset)
  return { number, hash, ledgerSeq: header.ledgerSeq, balances, assets, signer }
}

function isCheck(value: unknown): value is KeptCheck {
  const { checkedAt, signed, mine, balances, signer } = (value ?? {}) as Partial<KeptCheck>
  return (
    typeof checkedAt === 'string' &&
    typeof signed?.hash === 'string' &&
    typeof signed.header?.ledgerSeq === 'string' &&
    Array.isArray(mine?.leaves) &&
    Array.isArray(balances) &&
    typeof signer === 'string'
  )
}

function isFailure(value: unknown): value is FailedCheck {
  const { checkedAt, fault, evidence } = (value ?? {}) as Partial<FailedCheck>
  return typeof checkedAt === 'string' && typeof fault === 'string' && typeof evidence === 'object'
}

import type { Finding } from './alarm-codes.ts'

/** The vault at one block. Times are seconds since 1970, amounts base units of their asset. */
export interface VaultFacts {
  readonly block: bigint
  readonly timeS: number
  /** The vault's clock for what is announced. */
  readonly clock: number
  /** 0 while it is not paused. */
  readonly pausedAt: number
  /** 0 before. */
  readonly endingAt: number
  readonly movedAt: number
  readonly newest: {
    readonly number: bigint
    readonly cursorBlock: bigint
    readonly postedAt: number
    readonly seq: number
  }
  readonly assets: readonly AssetFacts[]
}

/** The figures of the newest root, the vault's totals of now, and its balance. */
export interface AssetFacts {
  readonly token: string
  /** `undefined`: the token does not say it. */
  readonly held: bigint | undefined
  /** Users and lending. */
  readonly owed: bigint
  readonly payouts: bigint
  readonly seen: Counted
  readonly total: Counted
  /** Since when the vault itself counts the asset as short; 0 while it does not. */
  readonly shortSince: number
  /** After a move: what the vaults that the ledger has left still hold of it, and have paid to exits since the newest root's block. */
  readonly elsewhere: bigint
}

interface Counted {
  readonly deposited: bigint
  readonly paid: bigint
  readonly exited: bigint
}

const HOUR_S = 3_600

/**
 * Returns what the vault owes now: users + lending + payouts of the newest root, and what has happened since its cursor. Below zero
 * in a vault without a root counts as it is.
 */
export function owedNow({
  owed,
  payouts,
  seen,
  total,
}: Pick<AssetFacts, 'owed' | 'payouts' | 'seen' | 'total'>): bigint {
  return owed + payouts + (total.deposited - seen.deposited) - (total.paid - seen.paid) - (total.exited - seen.exited)
}

/**
 * Finds what is wrong with the vault now. Each lasts until it is no longer found.
 *
 * @param of.newestHeaderS the cursor's time of the newest header of the sources
 * @param of.vaultSinceS when the vault was deployed, or the ledger moved to it
 */
export function judgeVault(
  vault: VaultFacts,
  of: { readonly newestHeaderS: number | undefined; readonly vaultSinceS: number },
): Finding[] {
  const { timeS, newest, assets } = vault
  // After a move or the end no root is due, and the holdings belong to what follows.
  if (vault.movedAt !== 0 || vault.endingAt !== 0) return []
  const findings: Finding[] = assets.flatMap((asset) => judgeHoldings(asset, vault))
  if (vault.pausedAt !== 0)
    findings.push({ key: 'paused', code: 'paused', text: `the vault is paused since ${isoOf(vault.pausedAt)}` })
  const lastRootS = newest.seq === 0 ? of.vaultSinceS : newest.postedAt
  const hours = Math.floor((timeS - lastRootS) / HOUR_S)
  const text =
    newest.seq === 0
      ? `no root for ${hours} hours since the vault is there`
      : `the newest root ${newest.number} is ${hours} hours old`
  const facts = { number: `${newest.number}`, posted_at: isoOf(lastRootS) }
  if (hours >= 24) findings.push({ key: 'roots_stopped', code: 'roots_stopped', text, facts })
  else if (hours >= 2) findings.push({ key: 'roots_late', code: 'roots_late', text, facts })
  const { newestHeaderS } = of
  if (newestHeaderS === undefined || timeS - newestHeaderS >= 2 * HOUR_S)
    findings.push({
      key: 'headers_late',
      code: 'headers_late',
      text:
        newestHeaderS === undefined ? 'no source shows a header' : `the newest header is of ${isoOf(newestHeaderS)}`,
    })
  return findings
}

/** Money that was not moved after so long is a finding: the recipe of a move takes an hour. */
const MOVING_S = 2 * HOUR_S

function judgeHoldings(asset: AssetFacts, { block, newest, timeS }: VaultFacts): Finding[] {
  if (newest.seq === 0) return []
  const owed = owedNow(asset)
  const { token, held, elsewhere, shortSince } = asset
  const key = `vault_short:${token}`
  const facts = { token, held: held === undefined ? null : `${held}`, owed: `${owed}`, block: `${block}` }
  if (held === undefined)
    return [
      {
        key,
        code: 'vault_short',
        text: `the balance of ${token} cannot be read, which the vault counts as short`,
        facts,
      },
    ]
  if (held >= owed) return []
  if (held + elsewhere >= owed) {
    if (shortSince === 0 || timeS - shortSince < MOVING_S) return []
    const text = `${owed - held} of ${token} are still at a vault that the ledger has left: the new one cannot pay them`
    return [{ key: `money_behind:${token}`, code: 'money_behind', text, facts }]
  }
  return [
    {
      key,
      code: 'vault_short',
      text: `the vault holds ${held + elsewhere} of ${token} and owes ${owed}, so ${owed - held - elsewhere} are missing`,
      facts,
    },
  ]
}

/**
 * Finds what delays the exits that are still open at a vault which the ledger has left. It pays them as far as it holds money; no root is due
 * there, and what it holds beside them belongs to the new vault.
 */
export function judgeLeftVault({ vault, pausedAt, assets }: VaultFacts & { readonly vault: string }): Finding[] {
  if (pausedAt === 0 || assets.every(({ held }) => held === 0n)) return []
  const text = `the vault ${vault}, which the ledger has left, is paused since ${isoOf(pausedAt)}: open exits there wait`
  return [{ key: `paused:${vault}`, code: 'paused', text, facts: { vault } }]
}

/**
 * Adds to the assets of the ledger's vault what the vaults that it has left hold and have paid. Their money belongs to it.
 *
 * @param exited by token in lower case: what those vaults have paid to exits since the block of the newest root
 */
export function withMoneyOf(
  vault: VaultFacts,
  left: readonly Pick<VaultFacts, 'assets'>[],
  exited: ReadonlyMap<string, bigint> = new Map(),
): VaultFacts {
  const heldOf = (token: string) =>
    left.reduce((sum, each) => sum + (each.assets.find((asset) => asset.token === token)?.held ?? 0n), 0n)
  const assets = vault.assets.map((asset) => ({
    ...asset,
    elsewhere: heldOf(asset.token) + (exited.get(asset.token.toLowerCase()) ?? 0n),
  }))
  return { ...vault, assets }
}

/** Returns whether an asset lacks money, even with what the vaults that the ledger has left hold. */
export function isShort(vault: VaultFacts): boolean {
  return (
    vault.newest.seq !== 0 &&
    vault.assets.some((each) => each.held !== undefined && each.held + each.elsewhere < owedNow(each))
  )
}

/** The newest block of a node may be so old. */
const BEHIND_S = 600

/** @param wallS this machine's clock */
export function judgeNode({ timeS, block }: Pick<VaultFacts, 'timeS' | 'block'>, wallS: number): Finding[] {
  if (wallS - timeS < BEHIND_S) return []
  return [
    { key: 'node_behind', code: 'node_behind', text: `the newest block ${block} of the node is of ${isoOf(timeS)}` },
  ]
}

/** A time in seconds as UTC. */
export function isoOf(timeS: number): string {
  return new Date(timeS * 1_000).toISOString()
}

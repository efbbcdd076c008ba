import { type Command, type Context, type StateKey, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import type { AssetId } from '@clearwell/money/asset'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { chainCursors } from '../../platform/custody/chain-cursors.ts'
import { type ExitPaymentRow, exitPayments, payExit } from '../../platform/custody/exit-payments.ts'
import { INSURANCE, TREASURY, userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { exits, LEAVING_ASSETS, leavingKey } from '../../platform/ledger/leaving-accounts.ts'
import { freeTreasury, treasuryDebts } from '../../platform/ledger/treasury-debts.ts'
import { advanceId, exitAdvances } from './exit-advances.ts'
import { type Return, type ShortfallPrices, settleShortfall, shareAdvance } from './settle-shortfall.ts'

/** Expired vouchers are released within seconds, so nothing is advanced while an amount is locked, for so long. */
export const PATIENCE_MS = 60_000

/** Prices for money, and until when. */
export interface CoverPrices {
  readonly prices: ShortfallPrices
  readonly goodUntil: Date
}

export interface Uncovered {
  /** Payments that are not wholly booked, in the order in which they are covered. */
  readonly payments: readonly Pick<ExitPaymentRow, 'id' | 'user_id' | 'asset'>[]
  /** Accounts that owe an advance. */
  readonly owing: readonly string[]
  /** Amounts that the vault still pays of exits whose base is fixed, as of a block of the watcher. */
  readonly claims?: FixedClaims
}

export interface FixedClaims {
  readonly chainId: number
  /** The amounts count while the cursor is here: later, the vault may have paid some of them. */
  readonly block: bigint
  readonly of: readonly { readonly account: string; readonly claims: readonly Claim[] }[]
}

export interface Claim {
  readonly asset: AssetId
  readonly units: bigint
}

export interface Covered {
  /** The ids of payments that are still not whole. */
  readonly payments: string[]
  /** Accounts whose balance is still below their claims. */
  readonly accounts: string[]
  /** False: the cursor has moved, so the claims were left alone. */
  readonly isCurrent: boolean
}

/**
 * Books what is missing of payments, fills balances that are below fixed claims, and takes advances back. An account pays with the asset
 * itself first. The rest is advanced by insurance, then by the treasury, and taken back at the same time from what the account has beyond
 * its claims.
 */
export function coverPayments({ payments, owing, claims }: Uncovered, cover: CoverPrices): Command<Covered> {
  const fixed = new Map(claims?.of.map((each) => [each.account, each.claims]))
  const accounts = [...new Set([...payments.map(({ user_id }) => user_id), ...owing, ...fixed.keys()])]
  return {
    kind: 'collect_exit_payments',
    owner: 'exits',
    payload: {},
    preload: [
      ...payments.map(({ id }) => ({ table: exitPayments, id })),
      ...(claims ? [{ table: chainCursors, id: String(claims.chainId) }] : []),
      ...accounts.flatMap(keysOf),
      ...FUND_KEYS,
    ],
    decide(state, context) {
      const draft = new Draft(state)
      const isCurrent = !claims || state.row(chainCursors, String(claims.chainId))?.number === claims.block
      const unpaid = payments.filter(({ id }) => !isPaid(draft, context, id)).map(({ id }) => id)
      const short = new Set<string>()
      for (const account of accounts) {
        const own = fixed.get(account) ?? []
        if (!isCurrent && own.length > 0) continue
        for (const claim of own) if (!fill(draft, context, { account, claim })) short.add(account)
        takeBack(draft, context, { account, cover, claims: own })
      }
      return draft.plan({ payments: unpaid, accounts: [...short], isCurrent })
    },
  }
}

/** Books what is missing of a payment. @returns false if something still is. */
function isPaid(draft: Draft, context: Context, id: string): boolean {
  const row = draft.row(exitPayments, id)
  if (!row || row.missing === 0n) return true
  const missing = payExit(draft, row)
  if (missing === 0n) return true
  if (!mayAdvance(draft, context, row)) return false
  const { user_id: account, asset, tx_hash: reference } = row
  advance(draft, context, { account, asset, units: missing, reference })
  return payExit(draft, { ...row, missing }) === 0n
}

/** Advances what an account lacks for a claim. Locked amounts count: they return before the vault pays. */
function fill(draft: Draft, context: Context, { account, claim }: { account: string; claim: Claim }): boolean {
  const { asset, units } = claim
  const held = (['available', 'locked'] as const).map((place) => draft.balance(userAccount(account, place), asset))
  const lacking = held.reduce((left, each) => left - each, units)
  if (lacking <= 0n) return true
  return advance(draft, context, { account, asset, units: lacking, reference: account }) === lacking
}

function keysOf(account: string): StateKey[] {
  const ofAsset = (asset: AssetId): StateKey[] => [
    { account: userAccount(account, 'available'), asset },
    { account: userAccount(account, 'locked'), asset },
    { table: exitAdvances, id: advanceId(account, asset) },
  ]
  return [leavingKey(account), ...LEAVING_ASSETS.flatMap(ofAsset)]
}

const FUND_KEYS: readonly StateKey[] = LEAVING_ASSETS.flatMap((asset) => [
  ...[VAULT, INSURANCE, TREASURY].map((account) => ({ account, asset })),
  { table: treasuryDebts, id: asset },
])

/** Orders whose voucher has expired are released first, in all assets. */
function mayAdvance(draft: Draft, { now }: Context, { user_id: account, booked_at }: ExitPaymentRow): boolean {
  if (now.getTime() - booked_at.getTime() > PATIENCE_MS) return true
  return LEAVING_ASSETS.every((asset) => draft.balance(userAccount(account, 'locked'), asset) === 0n)
}

interface Wanted extends Claim {
  readonly account: string
  readonly reference: string
}

/** @returns the units that insurance and treasury had. */
function advance(draft: Draft, { now }: Context, { account, asset, units, reference }: Wanted): bigint {
  const funds = { insurance: draft.balance(INSURANCE, asset), treasury: freeTreasury(draft, asset) }
  const { insurance, treasury } = shareAdvance(units, funds)
  const given = insurance + treasury
  if (given === 0n) return 0n
  const postings = [
    { account: INSURANCE, asset, units: -insurance },
    { account: TREASURY, asset, units: -treasury },
    { account: userAccount(account, 'available'), asset, units: given },
  ].filter((each) => each.units !== 0n)
  const id = advanceId(account, asset)
  const { to_insurance = 0n, to_treasury = 0n } = draft.row(exitAdvances, id) ?? {}
  const owed = { to_insurance: to_insurance + insurance, to_treasury: to_treasury + treasury }
  draft.add({
    entries: [{ kind: 'exit_advance', reference, postings }],
    rows: [write(exitAdvances, { id, user_id: account, asset, ...owed, changed_at: now })],
  })
  return given
}

/** Takes advances back, as far as the account has something, and says in its row whether it still owes one. */
function takeBack(
  draft: Draft,
  { now }: Context,
  { account, cover, claims }: { account: string; cover: CoverPrices; claims: readonly Claim[] },
): void {
  const prices = now <= cover.goodUntil ? cover.prices : {}
  let owes = false
  for (const asset of LEAVING_ASSETS) {
    const row = draft.row(exitAdvances, advanceId(account, asset))
    if (!row) continue
    const own = LEAVING_ASSETS.map((each) => ({ asset: each, units: beyondClaims(draft, account, claims, each) }))
    const owed = { insurance: row.to_insurance, treasury: row.to_treasury }
    const returns = settleShortfall({ asset, owed: owed.insurance + owed.treasury, own, prices })
    for (const each of returns) {
      const share = minUnits(owed.insurance, each.settles)
      owed.insurance -= share
      owed.treasury -= each.settles - share
      giveBack(draft, account, { ...each, toInsurance: share })
    }
    owes ||= owed.insurance + owed.treasury > 0n
    if (returns.length > 0) {
      const next = { ...row, to_insurance: owed.insurance, to_treasury: owed.treasury, changed_at: now }
      draft.add({ rows: [write(exitAdvances, next)] })
    }
  }
  const row = draft.row(exits, account)
  if (row && row.owes !== owes) draft.add({ rows: [write(exits, { ...row, owes })] })
}

/** The amount that the vault will pay stays in the account: in its locked amounts first. */
function beyondClaims(draft: Draft, account: string, claims: readonly Claim[], asset: AssetId): bigint {
  const claimed = claims.find((each) => each.asset === asset)?.units ?? 0n
  const kept = maxUnits(0n, claimed - draft.balance(userAccount(account, 'locked'), asset))
  return maxUnits(0n, draft.balance(userAccount(account, 'available'), asset) - kept)
}

function giveBack(
  draft: Draft,
  account: string,
  { asset, units, settles, toInsurance }: Return & { readonly toInsurance: bigint },
): void {
  const insurance = mulDiv(units, toInsurance, settles, 'down')
  const postings = [
    { account: userAccount(account, 'available'), asset, units: -units },
    { account: INSURANCE, asset, units: insurance },
    { account: TREASURY, asset, units: units - insurance },
  ].filter((each) => each.units !== 0n)
  draft.add({ entries: [{ kind: 'exit_advance_return', reference: account, postings }] })
}

import { type Command, type Context, type StateKey, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { transfer } from '@clearwell/ledger/transfer'
import type { AssetId } from '@clearwell/money/asset'
import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { type ExitPaymentRow, exitPayments, payExit } from '../../platform/custody/exit-payments.ts'
import { INSURANCE, TREASURY, userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { exits, LEAVING_ASSETS, leavingKey } from '../../platform/ledger/leaving-accounts.ts'
import { freeTreasury, treasuryDebts } from '../../platform/ledger/treasury-debts.ts'
import { advanceId, exitAdvances } from './exit-advances.ts'
import { type ShortfallPrices, settleShortfall, shareAdvance } from './settle-shortfall.ts'

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
}

/**
 * Books what is missing of payments, and takes advances back. An account pays with the asset itself first. The rest is advanced by
 * insurance, then by the treasury, and taken back at the same time from what else the account has.
 *
 * @returns the ids of payments that are still not whole.
 */
export function coverPayments({ payments, owing }: Uncovered, cover: CoverPrices): Command<string[]> {
  const accounts = [...new Set([...payments.map(({ user_id }) => user_id), ...owing])]
  return {
    kind: 'collect_exit_payments',
    owner: 'exits',
    payload: {},
    preload: [...payments.map(({ id }) => ({ table: exitPayments, id })), ...accounts.flatMap(keysOf), ...FUND_KEYS],
    decide(state, context) {
      const draft = new Draft(state)
      const left = payments.flatMap(({ id }) => {
        const row = draft.row(exitPayments, id)
        if (!row || row.missing === 0n) return []
        const missing = payExit(draft, row)
        if (missing === 0n || !mayAdvance(draft, context, row)) return missing === 0n ? [] : [id]
        return advance(draft, context, { ...row, missing }) === 0n ? [] : [id]
      })
      for (const account of accounts) takeBack(draft, context, { account, cover })
      return draft.plan(left)
    },
  }
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

/** @returns what is still missing, because insurance and treasury do not have it. */
function advance(draft: Draft, { now }: Context, row: ExitPaymentRow): bigint {
  const { user_id: account, asset, tx_hash: reference } = row
  const funds = { insurance: draft.balance(INSURANCE, asset), treasury: freeTreasury(draft, asset) }
  const { insurance, treasury } = shareAdvance(row.missing, funds)
  if (insurance + treasury === 0n) return row.missing
  const to = userAccount(account, 'available')
  const postings = [
    ...(insurance > 0n ? [{ account: INSURANCE, asset, units: -insurance }] : []),
    ...(treasury > 0n ? [{ account: TREASURY, asset, units: -treasury }] : []),
    { account: to, asset, units: insurance + treasury },
  ]
  const id = advanceId(account, asset)
  const known = draft.row(exitAdvances, id)
  const owed = {
    to_insurance: (known?.to_insurance ?? 0n) + insurance,
    to_treasury: (known?.to_treasury ?? 0n) + treasury,
  }
  draft.add({
    entries: [{ kind: 'exit_advance', reference, postings }],
    rows: [write(exitAdvances, { id, user_id: account, asset, ...owed, changed_at: now })],
  })
  return payExit(draft, row)
}

/** Takes advances back, as far as the account has something, and says in its row whether it still owes one. */
function takeBack(
  draft: Draft,
  { now }: Context,
  { account, cover }: { readonly account: string; readonly cover: CoverPrices },
): void {
  const prices = now <= cover.goodUntil ? cover.prices : {}
  let owes = false
  for (const asset of LEAVING_ASSETS) {
    const row = draft.row(exitAdvances, advanceId(account, asset))
    if (!row) continue
    const own = LEAVING_ASSETS.map((each) => ({
      asset: each,
      units: draft.balance(userAccount(account, 'available'), each),
    }))
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

function giveBack(
  draft: Draft,
  account: string,
  { asset, units, settles, toInsurance }: { asset: AssetId; units: bigint; settles: bigint; toInsurance: bigint },
): void {
  const insurance = mulDiv(units, toInsurance, settles, 'down')
  const parts = [
    { to: INSURANCE, units: insurance },
    { to: TREASURY, units: units - insurance },
  ]
  const postings = parts.flatMap((part) =>
    part.units === 0n ? [] : transfer({ from: userAccount(account, 'available'), asset, ...part }),
  )
  draft.add({ entries: [{ kind: 'exit_advance_return', reference: account, postings }] })
}

import { type RowWrite, type State, type StateKey, write } from '@clearwell/ledger/command'
import type { AssetId } from '@clearwell/money/asset'
import { knownLoss, lossLine, type PairLoss } from '@clearwell/rules/known-loss'
import type { LoanPool } from '@clearwell/rules/loan-pool'
import { type NodeStore, RatioIndex } from '@clearwell/rules/ratio-index'
import type { RatioEntry } from '@clearwell/rules/ratio-node'
import { refusal } from '../../platform/ledger/refuse.ts'
import { isOpenLoan, type LoanRow, loanRatioNodes } from './lending.tables.ts'
import type { LendingRules } from './lending-parameters.ts'
import { lossPricesAt } from './loan-prices.ts'
import type { PricedPair } from './pair-prices.ts'

/** Every order without an end passes everything below it. */
const ABOVE_ALL = { top: 1n, bottom: 0n }

/**
 * Moves orders to their new place in the index of their pair. An order that has ended leaves it.
 *
 * @returns the nodes to write.
 */
export function moveInIndex(
  state: State,
  changes: readonly { readonly before: LoanRow | undefined; readonly after: LoanRow }[],
): RowWrite[] {
  const indexes = new Map<string, RatioIndex>()
  for (const { before, after } of changes) {
    const name = indexName(after.collateral_asset, after.borrow_asset)
    const index = indexes.get(name) ?? new RatioIndex(nodesOf(state), name)
    indexes.set(name, index)
    const [from, to] = [before && entryOf(before), entryOf(after)]
    if (from?.collateral === to?.collateral && from?.debtShares === to?.debtShares) continue
    index.replace(from, to)
  }
  return [...indexes.values()].flatMap((index) => index.changes().map((node) => write(loanRatioNodes, node)))
}

/**
 * Computes what the orders of a pool would lose if they were cleared now (product rules, "Pledge and loan"): the sum over the pairs,
 * from their indexes.
 *
 * @param pairs all pairs of the pool.
 * @throws Refusal `price_out_of_date` if a pair with orders never had a price.
 */
export function readKnownLoss(state: State, question: LossQuestion): bigint {
  return sumKnownLoss(nodesOf(state), question)
}

/** The same from the nodes that a reader provides. */
export function sumKnownLoss(nodes: NodeStore, { pairs, ...moment }: LossQuestion): bigint {
  return knownLoss(pairs.flatMap((pair) => lossOfPair(nodes, pair, moment) ?? []))
}

/** A pool with the index of this moment, all its pairs, and the rules in force. */
export interface LossQuestion {
  readonly pool: LoanPool
  readonly rules: LossRules
  readonly pairs: readonly PricedPair[]
  readonly now: Date
}

type LossRules = Pick<LendingRules, 'liquidation' | 'unknownPriceBps'>

function lossOfPair(
  nodes: NodeStore,
  { collateral, borrowed, prices }: PricedPair,
  { pool, rules, now }: Omit<LossQuestion, 'pairs'>,
): PairLoss | undefined {
  const index = new RatioIndex(nodes, indexName(collateral, borrowed))
  const known = lossPricesAt(prices, now, rules.unknownPriceBps)
  if (!known) {
    if (index.sumBelow(ABOVE_ALL).debtShares === 0n) return undefined
    throw refusal('price_out_of_date', { reason: 'unknown' })
  }
  const terms = { ...known, indexE27: pool.indexE27, floorBps: rules.liquidation.floorBps }
  return { below: index.sumBelow(lossLine(terms)), terms }
}

/** Keys that every change of an order of a pair reads, and every sum over the pair. */
export function indexKeys(collateral: string, borrowed: string): StateKey[] {
  return [{ table: loanRatioNodes, id: indexName(collateral, borrowed) }]
}

/** The name of a pair's index: the id of its root. */
function indexName(collateral: AssetId | string, borrowed: AssetId | string): string {
  return `${collateral}:${borrowed}`
}

function nodesOf(state: State): NodeStore {
  return { read: (id) => state.row(loanRatioNodes, id)?.body }
}

function entryOf(row: LoanRow): RatioEntry | undefined {
  return isOpenLoan(row) ? { id: row.id, collateral: row.collateral, debtShares: row.debt_shares } : undefined
}

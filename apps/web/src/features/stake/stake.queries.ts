import type { ResponseOf } from '@clearwell/api/routes'
import type { AssetId } from '@clearwell/money/asset'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { BALANCES_POLL_MS, TICKER_POLL_MS } from '../../api/polling.ts'
import { useSignedIn } from '../../api/session-store.ts'
import { useCall } from '../../api/use-call.ts'
import { type ListItem, useListCall } from '../../api/use-list-call.ts'
import { type PairPrice, pairPriceOf, USDT_PRICE } from './pair-price.ts'

export type MarketPool = ResponseOf<'stakeMarket'>[number]
export type Pledge = ResponseOf<'pledgeInfo'>[number]
export type Loan = ListItem<'stakeOrders'>
/** An order after a repayment, with the amount that it took. */
export type RepaidLoan = ResponseOf<'repay'>
export type LoanStatus = Loan['status']

const MARKET_POLL_MS = 5_000
const POSITIONS_POLL_MS = 5_000
const QUOTE_POLL_MS = 3_000
/** How many orders of a status to request where one is looked for. */
const FOLLOWED = 50
const RATES_POLL_MS = 60_000

/** The lending pools with their rates and limits. */
export function useStakeMarket() {
  return useCall('stakeMarket', {}, { refetchInterval: MARKET_POLL_MS })
}

/** The rates of a pool by the hour, of the last month. */
export function useRates(asset: AssetId) {
  return useCall('stakeRates', { asset }, { refetchInterval: RATES_POLL_MS })
}

/** The user's pledges, one for each pool. */
export function usePledges() {
  return useCall('pledgeInfo', {}, { refetchInterval: POSITIONS_POLL_MS })
}

/** The user's loans of one status or of all, newest first. */
export function useLoans(status: LoanStatus | undefined) {
  return useListCall('stakeOrders', status === undefined ? {} : { status }, { refetchInterval: POSITIONS_POLL_MS })
}

/** The loans that are not over: those to be cleared first. */
export function useOpenLoans() {
  const due = useCall('stakeOrders', { status: 0, limit: FOLLOWED }, { refetchInterval: POSITIONS_POLL_MS })
  const normal = useCall('stakeOrders', { status: 2, limit: FOLLOWED }, { refetchInterval: POSITIONS_POLL_MS })
  const data = due.data && normal.data && [...due.data.items, ...normal.data.items]
  const refetch = () => Promise.all([due.refetch(), normal.refetch()])
  const isFetching = due.isFetching || normal.isFetching
  return { data, isFetching, isError: due.isError || normal.isError, error: due.error ?? normal.error, refetch }
}

/** One of the user's newest loans. */
export function useLoan(orderId: string | undefined) {
  const query = useCall(
    'stakeOrders',
    { limit: FOLLOWED },
    { refetchInterval: POSITIONS_POLL_MS, enabled: orderId !== undefined },
  )
  return { ...query, loan: query.data?.items.find(({ order_id }) => order_id === orderId) }
}

/** The balance that can be used, as plain decimal text. */
export function useAvailable(asset: AssetId | undefined): string | undefined {
  const balances = useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS })
  if (!balances.data || asset === undefined) return undefined
  return balances.data.find((each) => each.asset === asset)?.available ?? '0'
}

/** The prices of a loan's assets as far as they are known; `undefined` while one is read for the first time. */
export function usePairPrice(collateral: AssetId | undefined, borrowed: AssetId | undefined): PairPrice | undefined {
  const [one, other] = [useTickerOf(collateral), useTickerOf(borrowed)]
  if (one === undefined || other === undefined) return undefined
  return pairPriceOf(one, other)
}

function useTickerOf(asset: AssetId | undefined) {
  const enabled = asset !== undefined && asset !== 'USDT'
  const ticker = useCall('spotTicker', { symbol: `${asset}USDT` }, { enabled, refetchInterval: TICKER_POLL_MS })
  if (asset === 'USDT') return USDT_PRICE
  // Without a response nothing is known of the price.
  return ticker.data ?? (ticker.isError ? NO_PRICE : undefined)
}

const NO_PRICE = { price: null, state: 'unknown', sources: [] } as const

/** A loan that the user is about to open. */
export interface LoanWish {
  readonly collateral: AssetId
  readonly collateralAmount: string
  readonly borrow: AssetId
  readonly borrowAmount: string
  readonly termDays: number
}

export type LoanQuote = ResponseOf<'loanQuote'>

/** The server's terms of a loan, polled; `undefined` asks for none. */
export function useLoanQuote(wish: LoanWish | undefined) {
  const signedIn = useSignedIn()
  const payload = wish && {
    collateral_asset: wish.collateral,
    collateral_amount: wish.collateralAmount,
    borrow_asset: wish.borrow,
    borrow_amount: wish.borrowAmount,
    term_days: wish.termDays,
  }
  return useQuery({
    queryKey: ['loanQuote', payload],
    queryFn: ({ signal }) => {
      if (!payload) throw new Error('useLoanQuote: no loan to quote')
      return call('loanQuote', payload, { signal })
    },
    enabled: signedIn && payload !== undefined,
    refetchInterval: QUOTE_POLL_MS,
  })
}

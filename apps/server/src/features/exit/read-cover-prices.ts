import { LEAVING_ASSETS } from '../../platform/ledger/leaving-accounts.ts'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
import type { CoverPrices } from './cover-payments.ts'

/** Reads the prices by which an advance is taken back: two sources that agree, as for borrowing. Others are left out. */
export async function readCoverPrices(moneyPrices: MoneyPrices): Promise<CoverPrices> {
  const read = await Promise.all(
    LEAVING_ASSETS.map(async (asset) => ({ asset, price: await moneyPrices.price(asset) })),
  )
  const known = read.flatMap(({ asset, price }) => (price.state === 'fresh' ? [{ asset, price }] : []))
  const goodUntilMs = known.map(({ price }) => price.goodUntil.getTime())
  return {
    prices: Object.fromEntries(known.map(({ asset, price: { lowE18, highE18 } }) => [asset, { lowE18, highE18 }])),
    goodUntil: new Date(Math.min(...goodUntilMs)),
  }
}

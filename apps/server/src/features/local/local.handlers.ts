import type { localRoutes } from '@clearwell/api/local.routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { getAddress, zeroAddress } from 'viem'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { parseAddress } from '../../platform/ledger/address.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import type { LocalPlatform } from '../../platform/platform.ts'

/** The controls of the local profile: nothing of this exists elsewhere. */
export function localHandlers(
  deps: Pick<LocalPlatform, 'chain' | 'clock' | 'setPrice' | 'holdDrains' | 'runDue' | 'stopsBetween'>,
): HandlersOf<typeof localRoutes> {
  const { chain, clock } = deps
  return {
    async localFaucet({ address }) {
      const to = parseAddress(address)
      // The tokens reject transfers to the zero address.
      if (to === zeroAddress) throw refusal('invalid_account', { reason: 'the zero address' })
      const gifts = await chain.faucet(getAddress(to))
      return { items: gifts.map(({ asset, amount, txHash }) => ({ asset, amount, tx_hash: txHash })) }
    },
    async localAdvance({ seconds }) {
      const from = clock.now()
      const to = new Date(from.getTime() + seconds * 1000)
      for (const stop of [...(await deps.stopsBetween(from, to)), to]) {
        await deps.holdDrains(async () => {
          // The chain first: a job of the timer that saw the new time on the old chain would find nothing and not be due again.
          await chain.moveTo(stop)
          // Time has passed meanwhile.
          const leftMs = stop.getTime() - clock.now().getTime()
          await clock.advance(Math.max(0, leftMs))
        })
        await deps.runDue()
      }
      return { time: clock.now().toISOString() }
    },
    async localPrice({ symbol, price }) {
      const priceE18 = parseUnits(price, 18)
      if (!priceE18) throw invalidField('price', 'must be above zero')
      if (!(await deps.setPrice(symbol, priceE18))) throw refusal('not_found')
      // The pools follow the price, or are suspended, before the caller gets a response.
      await deps.runDue()
      return { symbol, price: formatUnits(priceE18, 18) }
    },
  }
}

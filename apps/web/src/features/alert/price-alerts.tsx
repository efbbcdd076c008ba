import { useState } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { useNotices } from './alert.queries.ts'

const AlertSheet = lazySheet(() => import('./alert-sheet.tsx'))

/**
 * A bell on a market: opens my alerts, with what it takes to set one there.
 *
 * @param price the price now, as plain decimal text; empty while none is known.
 * @param places the decimals that the market shows its prices with.
 */
export function PriceAlerts({ symbol, price, places }: { symbol: string; price: string; places: number }) {
  const [open, setOpen] = useState(false)
  const unread = useNotices().data?.unread ?? 0
  return (
    <>
      <span className="relative inline-flex">
        <IconButton
          icon="bell"
          label={unread > 0 ? m.alert_unread({ count: String(unread) }) : m.alert_title()}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        />
        {unread > 0 && <span aria-hidden className="absolute end-2 top-2 size-2 rounded-full bg-accent" />}
      </span>
      {open && <AlertSheet symbol={symbol} price={price} places={places} onClose={() => setOpen(false)} />}
    </>
  )
}

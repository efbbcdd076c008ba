import { useState } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { m } from '../../generated/paraglide/messages.js'

const AlertSheet = lazySheet(() => import('./alert-sheet.tsx'))

/**
 * The button on a market that opens my alerts and sets one there.
 *
 * @param price the price now, as plain decimal text; empty while none is known.
 * @param decimals the decimals that the market shows its prices with.
 */
export function PriceAlerts({ symbol, price, decimals }: { symbol: string; price: string; decimals: number }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="bell-plus" label={m.alert_title()} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      {open && <AlertSheet symbol={symbol} price={price} decimals={decimals} onClose={() => setOpen(false)} />}
    </>
  )
}

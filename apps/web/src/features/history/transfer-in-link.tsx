import { Link } from '@tanstack/react-router'
import { m } from '../../generated/paraglide/messages.js'
import { buttonClass } from '../../ui/button.tsx'

/** The first thing to do for who has nothing yet. */
export function TransferInLink() {
  return (
    <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
      {m.history_transfer_in()}
    </Link>
  )
}

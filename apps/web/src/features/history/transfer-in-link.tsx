import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'
import { m } from '../../generated/paraglide/messages.js'

/** The first thing to do for who has nothing yet. */
export function TransferInLink() {
  return (
    <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
      {m.history_transfer_in()}
    </Link>
  )
}

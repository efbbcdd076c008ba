import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Link } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'

/** Leads from an entry to the header of the ledger that contains it. */
export function HeaderLink({ entry }: { entry: string }) {
  return (
    <Link to="/{-$locale}/wallet/header" search={{ entry }} className={buttonClass('quiet')}>
      {m.proof_header_link()}
    </Link>
  )
}

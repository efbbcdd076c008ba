import type { ResponseOf } from '@clearwell/api/routes'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { formatAmount, formatList } from '@clearwell/ui/i18n/format.ts'
import { Link } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'

type Balances = ResponseOf<'balances'>

/** Steps that come first, because pledges, collateral and locked amounts do not leave. Nothing if there is nothing to do. */
export function ExitBefore({ balances }: { balances: Balances }) {
  const amounts = (field: 'owed' | 'pledged' | 'collateral') =>
    formatList(
      balances
        .filter((balance) => /[1-9]/.test(balance[field]))
        .map((balance) => `${formatAmount(balance[field])} ${balance.asset}`),
    )
  const [owed, pledged, collateral] = [amounts('owed'), amounts('pledged'), amounts('collateral')]
  if (owed + pledged + collateral === '') return null
  return (
    <Warning
      title={m.exit_before()}
      text={
        <>
          {pledged && <span className="block">{m.exit_before_pledged({ amounts: pledged })}</span>}
          {collateral && <span className="block">{m.exit_before_collateral({ amounts: collateral })}</span>}
          {owed && <span className="block">{m.exit_before_owed({ amounts: owed })}</span>}
          <Link
            to="/{-$locale}/stake"
            className="-mb-3 inline-block py-3 font-semibold text-accent underline underline-offset-4"
          >
            {m.exit_before_open()}
          </Link>
        </>
      }
    />
  )
}

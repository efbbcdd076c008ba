import { Card } from '@clearwell/ui/components/card.tsx'
import { Link } from '@tanstack/react-router'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { isNothing } from './summary-figures.ts'
import { ValueCurve } from './value-over-time.tsx'

const PERIOD = 'month'
const POLL_MS = 30_000

/** The value of the last month as a curve, which leads to the summary. Nothing for an account that holds nothing. */
export default function WalletValue() {
  const { signedIn } = useAccount()
  const { data, error, refetch } = useCall('summary', { period: PERIOD }, { refetchInterval: POLL_MS })
  if (!signedIn || (data && isNothing(data))) return null
  return (
    <Card
      title={m.history_chart()}
      action={
        <Link
          to="/{-$locale}/wallet/summary"
          search={{ period: PERIOD }}
          className="inline-flex min-h-11 items-center text-accent"
        >
          {m.history_chart_more()}
        </Link>
      }
    >
      <ValueCurve summary={data} error={error} onRetry={refetch} />
    </Card>
  )
}

import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Link } from '@tanstack/react-router'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { useActiveStatus } from './activation.queries.ts'
import { activationText } from './activation-benefits.ts'

/** Shows the price of activation, or a payment in progress. */
export default function InactiveCard() {
  const { data } = useActiveStatus()
  const config = useConfig()
  if (!data || !config || data.status === 2) return null
  const pending = data.status === 1
  const isPaid = data.order !== undefined && data.order.status !== 'created'
  return (
    <Card title={pending ? m.activation_pending() : m.title_swap_activate()} className="flex flex-col gap-3">
      <p className="text-muted">
        {!pending ? activationText(config.features) : isPaid ? m.activation_pending_text() : m.activation_unpaid_text()}{' '}
        {pending ? null : <AmountText isPublic amount={data.price} asset={data.asset} className="text-text" />}
      </p>
      {data.opens_at && <p className="text-warn">{m.activation_opens_at({ time: formatDateTime(data.opens_at) })}</p>}
      <Link to="/{-$locale}/swap/activate" className={buttonClass(pending ? 'quiet' : 'main')}>
        {pending ? m.activation_follow() : m.nav_activate_now()}
      </Link>
    </Card>
  )
}

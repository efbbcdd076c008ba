import { Link } from '@tanstack/react-router'
import { useAccount } from '../../account/use-account.ts'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format-date.ts'
import { Icon } from '../../icons/icon.tsx'
import { type BoxStatus, useBoxStatus } from './blind-box.queries.ts'
import { BoxArt } from './box-art.tsx'
import { amountsText, someAmounts } from './box-text.ts'

/** Today's box on home, with the next thing to do with it. Nothing before the activation, which home's steps lead to. */
export default function TodayCard() {
  const { user } = useAccount()
  const { data: status, isError } = useBoxStatus()
  if (user?.activated === false || ((!user || !status) && isError)) return null
  if (!user || !status) return <TodaySkeleton />
  const { title, text } = textsOf(status)
  const toClaim = !status.can_click && status.claimable_boxes > 0
  return (
    <Link
      to={toClaim ? '/{-$locale}/node/claim' : '/{-$locale}/node/blindBox'}
      className="flex min-h-23 items-center gap-3 rounded-card border border-line p-4 transition-colors hover:bg-input"
    >
      <BoxArt state={status.clicked ? 'sealed' : 'waiting'} className="size-12" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="font-semibold">{title}</span>
        <span className="text-secondary text-muted">{text}</span>
      </span>
      <Icon name="chevron-right" className={status.can_click || toClaim ? 'text-accent' : 'text-muted'} />
    </Link>
  )
}

/** In the shape of the card: the box, and two lines beside it. */
function TodaySkeleton() {
  return (
    <div className="flex min-h-23 items-center gap-3 rounded-card border border-line p-4">
      <Skeleton className="size-12 shrink-0" />
      <span className="flex min-w-0 flex-1 flex-col gap-2">
        <Skeleton className="h-4 w-32" />
        <Skeleton className="h-3 w-48 max-w-full" />
      </span>
    </div>
  )
}

function textsOf(status: BoxStatus): { title: string; text: string } {
  const amounts = amountsText(someAmounts(status.claimable))
  const claim = amounts === '' ? undefined : m.box_home_claim({ amounts })
  if (status.can_click) return { title: m.box_waiting(), text: claim ?? m.box_waiting_text() }
  if (claim !== undefined) return { title: claim, text: status.clicked ? m.box_sealed_text() : m.box_home_claim_text() }
  if (status.clicked) return { title: m.box_sealed(), text: m.box_sealed_text() }
  if (status.opens_at)
    return { title: m.box_not_open(), text: m.box_opens_at({ time: formatDateTime(status.opens_at) }) }
  return { title: m.nav_blind_box(), text: m.box_waiting_text() }
}

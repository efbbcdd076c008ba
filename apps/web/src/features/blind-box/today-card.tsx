import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { withWholeParts } from '@clearwell/ui/components/whole-parts.tsx'
import { formatList } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import { useRewardValue } from './amounts.tsx'
import { type BoxStatus, useBoxStatus } from './blind-box.queries.ts'
import { STATUS } from './blind-box.samples.ts'
import { BoxArt } from './box-art.tsx'
import { amountText, someAmounts } from './box-text.ts'

/** Today's box on home, with the next thing to do with it. Nothing before the activation, which home's steps lead to. */
export default function TodayCard() {
  const { user } = useAccount()
  const { data: status, isError } = useBoxStatus()
  const { hidden } = useHiddenAmounts()
  if (user?.activated === false || ((!user || !status) && isError)) return null
  if (user && status) return <Card status={status} hidden={hidden} />
  return (
    <Pending>
      <Card status={STATUS} hidden={false} />
    </Pending>
  )
}

function Card({ status, hidden }: { status: BoxStatus; hidden: boolean }) {
  const value = useRewardValue(status.claimable)
  const { title, text } = textsOf(status, value === undefined ? claimText(status, hidden) : `${value} USDT`)
  const toClaim = !status.can_click && status.claimable_boxes > 0
  return (
    <Link
      to={toClaim ? '/{-$locale}/node/claim' : '/{-$locale}/node/blindBox'}
      className="flex min-h-23 items-center gap-3 rounded-card border border-line p-4 hover:bg-input"
    >
      <BoxArt state={status.clicked ? 'sealed' : 'waiting'} className="size-12" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="font-semibold">{title}</span>
        <span className="figures text-secondary text-muted">{withWholeParts(text)}</span>
      </span>
      <Icon name="chevron-right" className={status.can_click || toClaim ? 'text-accent' : 'text-muted'} />
    </Link>
  )
}

/** @param amounts that can be claimed, in words. */
function textsOf(status: BoxStatus, amounts: string): { title: string; text: string } {
  const claim = status.claimable_boxes > 0 && m.box_home_claim({ amounts })
  if (status.can_click) return { title: m.box_waiting(), text: claim || m.box_waiting_text() }
  if (claim) return { title: m.box_claim_sum({ n: status.claimable_boxes }), text: claim }
  if (status.clicked) return { title: m.box_sealed(), text: m.box_sealed_text() }
  if (status.opens_at)
    return { title: m.box_not_open(), text: m.box_opens_at({ time: formatDateTime(status.opens_at) }) }
  return { title: m.nav_blind_box(), text: m.box_waiting_text() }
}

/** So many amounts, with so many digits fewer than elsewhere, that the text keeps to two lines. */
const AMOUNTS_SHOWN = 2
const FEWER_DIGITS = 2

function claimText({ claimable }: BoxStatus, isHidden: boolean): string {
  if (isHidden) return HIDDEN_TEXT
  const amounts = someAmounts(claimable)
  const more = amounts.length - AMOUNTS_SHOWN
  const shown = amounts.slice(0, AMOUNTS_SHOWN).map((each) => amountText(each, FEWER_DIGITS))
  return formatList(more > 0 ? [...shown, m.box_home_more({ n: more })] : shown)
}

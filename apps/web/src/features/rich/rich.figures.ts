import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount, formatPercent } from '@clearwell/ui/i18n/format.ts'
import { liveFiguresOf } from '../../content/live-figures.ts'
import { m } from '../../generated/messages.ts'

/** The terms of the upgrade hub and the state of its programme. */
type Program = ResponseOf<'richProgram'>

const STARS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const

/** Terms of the upgrade hub, and the state of its programme. */
export default liveFiguresOf('richProgram', {
  rt_at_genesis: ({ at_genesis }) => rt(at_genesis),
  rt_remaining: ({ remaining }) => rt(remaining),
  rt_release_rate: ({ release_rate }) => formatPercent(release_rate, { decimals: 4 }),
  rt_max_per_weight: ({ max_per_weight }) => rt(max_per_weight),
  rt_shared_above: ({ shared_above_deposits }) => rt(shared_above_deposits),
  rt_next_release: ({ next_release }) => rt(next_release),
  rt_accounts: ({ accounts }) => formatAmount(String(accounts)),
  rt_weight: ({ weight }) => formatAmount(weight),
  rt_approval_hours: ({ approval_hours }) => String(approval_hours),
  rt_notice_days: ({ notice_days }) => String(notice_days),
  ...Object.fromEntries(STARS.map((star) => [`rt_star_${star}`, (program: Program) => starDeposit(star, program)])),
})

function starDeposit(star: number, { stars }: Program): string {
  const terms = stars.find((each) => each.star === star)
  return terms ? rt(terms.required) : m.content_live_none()
}

function rt(amount: string): string {
  return `${formatAmount(amount)} RT`
}

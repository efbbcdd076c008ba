import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount, formatPercent } from '@clearwell/ui/i18n/format.ts'
import { m } from '../generated/messages.ts'
import type { RichName } from './live-names.ts'

/** The terms of the upgrade hub and the state of its programme. */
type Program = ResponseOf<'richProgram'>

/** Formats a figure of the upgrade hub in the current language. */
export function richValue(name: RichName, program: Program): string {
  switch (name) {
    case 'rt_at_genesis':
      return rt(program.at_genesis)
    case 'rt_remaining':
      return rt(program.remaining)
    case 'rt_release_rate':
      return formatPercent(program.release_rate, { decimals: 4 })
    case 'rt_max_per_weight':
      return rt(program.max_per_weight)
    case 'rt_shared_above':
      return rt(program.shared_above_deposits)
    case 'rt_next_release':
      return rt(program.next_release)
    case 'rt_accounts':
      return formatAmount(String(program.accounts))
    case 'rt_weight':
      return formatAmount(program.weight)
    case 'rt_approval_hours':
      return String(program.approval_hours)
    case 'rt_notice_days':
      return String(program.notice_days)
    default:
      return starDeposit(Number(name.slice('rt_star_'.length)), program)
  }
}

function starDeposit(star: number, { stars }: Program): string {
  const terms = stars.find((each) => each.star === star)
  return terms ? rt(terms.required) : m.content_live_none()
}

function rt(amount: string): string {
  return `${formatAmount(amount)} RT`
}

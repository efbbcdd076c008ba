import type { NoticeKind, NoticeParams } from '@clearwell/api/notice-kinds'
import { m } from '../../generated/messages.ts'
import { formatAmount, formatList, formatPercent, significantDecimals } from '../../i18n/format.ts'
import { formatDateTime } from '../../i18n/format-date.ts'
import { exactPrice, formatPrice, reachedDecimals } from '../../i18n/price-text.ts'
import type { IconName } from '../../icons/icon.tsx'
import type { Notice } from './notice.queries.ts'

interface NoticeText {
  readonly icon: IconName
  readonly title: string
  readonly detail: string
}

/** How each kind of notice is worded. A kind without an entry does not compile. */
const TEXTS: { readonly [Kind in NoticeKind]: (params: NoticeParams<Kind>, time: string) => NoticeText } = {
  price_alert({ symbol, direction, price, price_seen }, time) {
    const values = { symbol, price: exactPrice(price) }
    // With as many decimals the price seen is at or beyond the alert's, as it was.
    const seen = formatPrice(price_seen, reachedDecimals(price))
    return {
      icon: 'bell',
      title: direction === 'above' ? m.notice_price_rose(values) : m.notice_price_fell(values),
      detail: m.notice_price_seen({ price: seen, time }),
    }
  },
  loan_warning: ({ percent, ltv, ...loan }, time) => ({
    icon: 'scale',
    title: m.notice_loan_warning({ percent, loan: loanText(loan) }),
    detail:
      ltv === undefined
        ? m.notice_loan_warning_detail({ time })
        : m.notice_loan_warning_ltv({ ltv: formatPercent(ltv), time }),
  }),
  loan_reminder: ({ hours, ...loan }, time) => ({
    icon: 'bell',
    title:
      hours === 1
        ? m.notice_loan_due_hour({ loan: loanText(loan) })
        : m.notice_loan_due({ hours, loan: loanText(loan) }),
    detail: m.notice_loan_due_detail({ time }),
  }),
  loan_rate_doubled: ({ rate, opened_rate, ...loan }, time) => ({
    icon: 'bell',
    title: m.notice_loan_rate_doubled({ loan: loanText(loan) }),
    detail: m.notice_loan_rate_doubled_detail({
      rate: formatPercent(rate),
      opened: formatPercent(opened_rate),
      time,
    }),
  }),
  loan_to_be_cleared: (loan, time) => ({
    icon: 'triangle-alert',
    title: m.notice_loan_to_be_cleared({ loan: loanText(loan) }),
    detail: m.notice_loan_to_be_cleared_detail({ time }),
  }),
  loan_part_liquidated: (loan, time) => ({
    icon: 'triangle-alert',
    title: m.notice_loan_part_liquidated({ loan: loanText(loan) }),
    detail: m.notice_loan_part_liquidated_detail({ time }),
  }),
  loan_liquidated: (loan, time) => ({
    icon: 'triangle-alert',
    title: m.notice_loan_liquidated({ loan: loanText(loan) }),
    detail: m.notice_loan_liquidated_detail({ time }),
  }),
  upgrade_requested: ({ name, star }, time) => ({
    icon: 'users',
    title: m.notice_upgrade_requested({ name, star }),
    detail: m.notice_upgrade_requested_detail({ time }),
  }),
  upgrade_passed: ({ star }, time) => ({
    icon: 'circle-check',
    title: m.notice_upgrade_passed({ star }),
    detail: m.notice_upgrade_passed_detail({ time }),
  }),
  lead_activated: ({ lead }, time) => ({
    icon: 'users',
    title: m.notice_lead_activated({ lead }),
    detail: m.notice_lead_activated_detail({ time }),
  }),
  level_up: ({ level }, time) => ({
    icon: 'users',
    title: m.notice_level_up({ level }),
    detail: m.notice_level_up_detail({ time }),
  }),
  // A reward of four assets takes lines, so it belongs to the detail: a new notice covers the top of a screen.
  box_claimable: ({ reward }, time) => ({
    icon: 'hand-coins',
    title: m.notice_box_claimable(),
    detail: m.notice_box_claimable_detail({ reward: rewardText(reward), time }),
  }),
  box_expiring: ({ reward, expires_at }) => ({
    icon: 'bell',
    title: m.notice_box_expiring(),
    detail: m.notice_box_expiring_detail({ reward: rewardText(reward), time: formatDateTime(expires_at) }),
  }),
}

function rewardText(reward: NoticeParams<'box_claimable'>['reward']): string {
  return formatList(reward.map(({ asset, amount }) => amountText(asset, amount)))
}

function loanText({ asset, borrowed }: { readonly asset: string; readonly borrowed: string }): string {
  return amountText(asset, borrowed)
}

function amountText(asset: string, amount: string): string {
  return `${formatAmount(amount, { decimals: significantDecimals(amount) })} ${asset}`
}

export function noticeText({ kind, params, created_at }: Pick<Notice, 'kind' | 'params' | 'created_at'>): NoticeText {
  // A date keeps to one line.
  const time = formatDateTime(created_at).replaceAll(' ', '\u00a0')
  // A newer server may send kinds that this build does not know.
  if (!Object.hasOwn(TEXTS, kind)) return { icon: 'bell', title: m.notice_other(), detail: time }
  // The params are those of the kind, which TypeScript does not follow through their unions.
  return TEXTS[kind](params as never, time)
}

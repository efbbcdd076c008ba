import { formatAmount, formatPercent, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { serverNowMs } from '../../api/server-clock.ts'
import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  entries: {
    pledge: { part: 'pledges', name: m.stake_entry_pledge, activity: { icon: 'layers' } },
    unpledge: { part: 'pledges', name: m.stake_entry_unpledge, activity: { icon: 'layers' } },
    loan: {
      part: 'loans',
      name: m.stake_entry_loan,
      collateral: m.stake_entry_loan_collateral,
      activity: { icon: 'hand-coins' },
    },
    loan_repayment: { part: 'loans', name: m.stake_entry_loan_repayment, activity: { icon: 'hand-coins' } },
    collateral_added: {
      part: 'loans',
      name: m.stake_entry_collateral_added,
      activity: { icon: 'lock', isBetweenAccounts: true },
    },
    collateral_returned: {
      part: 'loans',
      name: m.stake_entry_collateral_returned,
      activity: { icon: 'lock', isBetweenAccounts: true },
    },
  },
  notices: {
    loan_warning: ({ percent, ltv, ...loan }, time) => ({
      icon: 'scale',
      title: m.stake_notice_warning({ percent, loan: loanText(loan) }),
      detail:
        ltv === undefined
          ? m.stake_notice_warning_detail({ time })
          : m.stake_notice_warning_ltv({ ltv: formatPercent(ltv), time }),
    }),
    loan_reminder: ({ due_at, ...loan }, time) => ({ icon: 'bell', ...reminderText(loanText(loan), { due_at, time }) }),
    loan_rate_doubled: ({ rate, opened_rate, ...loan }, time) => ({
      icon: 'bell',
      title: m.stake_notice_rate_doubled({ loan: loanText(loan) }),
      detail: m.stake_notice_rate_doubled_detail({
        rate: formatPercent(rate),
        opened: formatPercent(opened_rate),
        time,
      }),
    }),
    loan_to_be_cleared: (loan, time) => ({
      icon: 'triangle-alert',
      title: m.stake_notice_to_be_cleared({ loan: loanText(loan) }),
      detail: m.stake_notice_to_be_cleared_detail({ time }),
    }),
    loan_part_liquidated: (loan, time) => ({
      icon: 'triangle-alert',
      title: m.stake_notice_part_liquidated({ loan: loanText(loan) }),
      detail: m.stake_notice_part_liquidated_detail({ time }),
    }),
    loan_liquidated: (loan, time) => ({
      icon: 'triangle-alert',
      title: m.stake_notice_liquidated({ loan: loanText(loan) }),
      detail: m.stake_notice_liquidated_detail({ time }),
    }),
  },
} as const satisfies FeatureWords

function loanText({ asset, borrowed }: { readonly asset: string; readonly borrowed: string }): string {
  return `${formatAmount(borrowed, { decimals: significantDecimals(borrowed) })} ${asset}`
}

/** A reminder speaks as of when it was sent. One that is read after the repayment time marks itself as old. */
function reminderText(loan: string, { due_at, time }: { readonly due_at: string | undefined; readonly time: string }) {
  if (due_at === undefined)
    return { title: m.stake_notice_due_soon({ loan }), detail: m.stake_notice_due_detail({ time }) }
  const due = formatDateTime(due_at)
  return Date.parse(due_at) > (serverNowMs() ?? Date.now())
    ? { title: m.stake_notice_due({ loan, due }), detail: m.stake_notice_due_detail({ time }) }
    : { title: m.stake_notice_due_old({ loan, due }), detail: m.stake_notice_due_old_detail({ time }) }
}

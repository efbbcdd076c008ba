import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'
import { InterestText } from './interest-text.tsx'
import { textOfE18 } from './lending-figures.ts'
import { Rate } from './market-overview.tsx'
import { RateFormula } from './rate-formula.tsx'
import { liquidationTimeWords, priceWords, rateWords } from './stake-words.ts'
import type { LoanForm } from './use-loan-form.ts'

/** The terms that follow from the form: the floating rate with its cost, and when and at which price the loan is liquidated. */
export function LoanTerms({ form: { pool, collateral, preview, termDays, quote } }: { form: LoanForm }) {
  const none = <span className="text-muted">—</span>
  const borrowed = (amount: string | undefined) =>
    amount === undefined ? none : <InterestText isPublic amount={amount} asset={pool.asset} raises />
  const { interestAtTerm, liquidationPriceE18, liquidationTime } = preview ?? {}
  const [rate, target] = preview
    ? [textOfE18(preview.rateE18), textOfE18(preview.rateTargetE18)]
    : [pool.loan_rate, pool.loan_rate_target]
  return (
    <div>
      <FactList
        facts={[
          {
            label: preview ? m.stake_rate_with_loan() : m.stake_rate_floating(),
            value: <Rate apr={rate} />,
          },
          { label: m.stake_cost_last_30_days(), value: borrowed(quote?.interest_last_30_days ?? undefined) },
          {
            label: m.stake_interest_at_term({ n: String(termDays) }),
            value: borrowed(interestAtTerm === undefined ? undefined : textOfE18(interestAtTerm)),
          },
          {
            label: m.stake_liquidation_price(),
            value:
              liquidationPriceE18 === undefined
                ? none
                : priceWords(textOfE18(liquidationPriceE18), { collateral: collateral ?? '', borrow: pool.asset }),
          },
          { label: m.stake_repayment_time(), value: preview ? formatDateTime(preview.repaymentTime) : none },
          {
            label: m.stake_liquidation_time(),
            value:
              preview && liquidationTime !== undefined
                ? liquidationTimeWords(liquidationTime, preview.repaymentTime)
                : none,
          },
        ]}
      />
      <p className="border-t border-line py-3 text-secondary text-pretty text-muted">{rateWords(rate, target)}</p>
      <div className="border-t border-line">
        <RateFormula pool={pool} />
      </div>
    </div>
  )
}

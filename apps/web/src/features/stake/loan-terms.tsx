import { AmountText } from '../../components/amount-text.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format-date.ts'
import { textOfE18 } from './loan-preview.ts'
import { Rate } from './market-overview.tsx'
import { RateFormula } from './rate-formula.tsx'
import { priceWords } from './stake-words.ts'
import type { LoanForm } from './use-loan-form.ts'

/** The terms that follow from the form: the rate, the interest, and when and at which price the loan is liquidated. */
export function LoanTerms({ form: { pool, collateral, preview, termDays } }: { form: LoanForm }) {
  const none = <span className="text-muted">—</span>
  return (
    <div>
      <FactList
        facts={[
          {
            label: preview ? m.stake_rate_fixed() : m.stake_loan_rate_current(),
            value: <Rate apr={preview ? textOfE18(preview.rateE18) : pool.loan_rate} />,
          },
          {
            label: m.stake_interest_at_term({ n: String(termDays) }),
            value:
              preview?.interestAtTerm === undefined ? (
                none
              ) : (
                <AmountText amount={textOfE18(preview.interestAtTerm)} asset={pool.asset} />
              ),
          },
          {
            label: m.stake_liquidation_price(),
            value:
              preview?.liquidationPriceE18 === undefined
                ? none
                : priceWords(textOfE18(preview.liquidationPriceE18), {
                    collateral: collateral ?? '',
                    borrow: pool.asset,
                  }),
          },
          { label: m.stake_repayment_time(), value: preview ? formatDateTime(preview.repaymentTime) : none },
          {
            label: m.stake_liquidation_time(),
            value: preview?.liquidationTime === undefined ? none : formatDateTime(preview.liquidationTime),
          },
        ]}
      />
      <div className="border-t border-line">
        <RateFormula pool={pool} />
      </div>
    </div>
  )
}

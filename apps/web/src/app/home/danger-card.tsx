import { cx } from '@clearwell/ui/browser/cx.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../api/use-call.ts'
import { healthOfLoan } from '../../features/stake/health-mark.tsx'
import { byDanger, dangerOf } from '../../features/stake/loan-danger.ts'
import { type Loan, type MarketPool, useOpenLoans } from '../../features/stake/stake.queries.ts'
import { m } from '../../generated/messages.ts'
import { useKeptShape } from './home-shape.ts'
import { limitText } from './limit-text.ts'

/** The loans that can cost money now, with the step that repays the worst of them. Nothing while no loan is near a limit. */
export function DangerCard() {
  const { data: loans = [] } = useOpenLoans()
  const { data: market = [] } = useCall('stakeMarket', {})
  const nowMs = Date.now()
  const poolOf = (loan: Loan) => market.find(({ asset }) => asset === loan.borrow_asset)
  const inDanger = loans.filter((loan) => dangerOf(loan, poolOf(loan), nowMs) !== undefined)
  const [worst] = byDanger(inDanger, market, nowMs)
  useKeptShape('hasDanger', worst !== undefined)
  if (!worst) return null
  const isNow = worst.status === 0
  const count = isNow ? inDanger.filter(({ status }) => status === 0).length : inDanger.length
  const title = isNow ? m.danger_now({ n: count }) : m.danger_soon({ n: count })
  return (
    <section
      aria-label={title}
      className={cx('flex flex-col gap-2 rounded-card border p-4', isNow ? 'border-down/50' : 'border-warn/50')}
    >
      <h2 className={cx('flex items-center gap-2 font-semibold', isNow ? 'text-down' : 'text-warn')}>
        <Icon name="triangle-alert" className="size-4" />
        {title}
      </h2>
      <p className="figures">
        {/* Beside a number of loans, one amount would read as their sum. */}
        {count > 1 && <span className="text-muted">{m.danger_worst()} </span>}
        <AmountText amount={worst.total_debt} asset={worst.borrow_asset} raises /> · {reason(worst, poolOf(worst))}
      </p>
      <div className="mt-1 grid grid-fit-28 gap-2">
        <Link
          to="/{-$locale}/stake/lend/orders"
          search={{ ...(isNow ? { status: 0 } : {}), repay: worst.order_id }}
          className={buttonClass('main', 'small')}
        >
          {m.danger_repay()}
        </Link>
        {inDanger.length > 1 && (
          <Link to="/{-$locale}/stake/lend/orders" className={buttonClass('quiet', 'small')}>
            {m.danger_all()}
          </Link>
        )}
      </div>
    </section>
  )
}

/** Returns whether the loans and their limits were read, or could not be. */
export function useIsDangerKnown(): boolean {
  const reads = [useOpenLoans(), useCall('stakeMarket', {})]
  return reads.every(({ data, isError }) => data !== undefined || isError)
}

function reason(loan: Loan, pool: MarketPool | undefined): string {
  if (loan.status !== 0) return limitText(loan, pool)
  return healthOfLoan(loan, pool) === 'overdue' ? m.danger_overdue() : m.danger_over_limit()
}

import { cx } from '@clearwell/ui/browser/cx.ts'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../generated/messages.ts'
import { fractionE18, limitsOf } from './lending-figures.ts'
import type { Health } from './loan-health.ts'
import type { Loan, MarketPool } from './stake.queries.ts'

const LOOKS: Readonly<Record<Health, string>> = {
  safe: 'text-accent',
  fair: 'text-text',
  at_risk: 'text-warn',
  to_be_cleared: 'text-warn',
  overdue: 'text-warn',
}

/** The health of a loan as a word; colour and sign repeat it. */
export function HealthMark({ health, className }: { health: Health | undefined; className?: string }) {
  if (health === undefined) return <span className={cx('text-muted', className)}>{m.stake_health_unknown()}</span>
  const isWarning = LOOKS[health] === 'text-warn'
  return (
    <span className={cx('inline-flex items-center gap-1 font-semibold whitespace-nowrap', LOOKS[health], className)}>
      {isWarning ? (
        <Icon name="triangle-alert" className="size-3" />
      ) : (
        <span aria-hidden="true" className="size-2 rounded-full bg-current" />
      )}
      {healthText(health)}
    </span>
  )
}

/** The health of an open order; `undefined` while a price is out of date. */
export function healthOfLoan(loan: Loan, pool: MarketPool | undefined): Health | undefined {
  const { status, ltv } = loan
  if (ltv === null || !pool) return status === 0 ? 'to_be_cleared' : undefined
  const ltvE18 = fractionE18(ltv)
  const { initialBps, warningBps, liquidationBps } = limitsOf(pool)
  const has = (bps: bigint) => ltvE18 >= bps * 10n ** 14n
  if (status === 0) return has(liquidationBps) ? 'to_be_cleared' : 'overdue'
  if (has(warningBps)) return 'at_risk'
  return ltvE18 > initialBps * 10n ** 14n ? 'fair' : 'safe'
}

/** Returns whether a normal order is over its limit at the worse of two prices only: it is cleared when both are over. */
export function isOverAtOnePrice({ status, ltv }: Loan, pool: MarketPool | undefined): boolean {
  if (status !== 2 || ltv === null || !pool) return false
  return fractionE18(ltv) >= fractionE18(pool.ltv_liquidation)
}

/** The share of a bar up to a fraction, in percent; for drawing. */
function percentAt(fraction: string): number {
  return Math.min(100, Number(fraction) * 100)
}

/** A bar of the ratio from 0 to 100 % with its three lines. The figures beside it say the same in words. */
export function LtvBar({ ltv, pool, health }: { ltv: string; pool: MarketPool; health: Health | undefined }) {
  const colour = health === undefined ? 'bg-muted' : health === 'safe' || health === 'fair' ? 'bg-accent' : 'bg-warn'
  return (
    <div aria-hidden="true" className="relative h-4">
      <div className="absolute inset-x-0 top-1 h-2 overflow-hidden rounded-full bg-line">
        <div className={cx('h-full rounded-full', colour)} style={{ width: `${percentAt(ltv)}%` }} />
      </div>
      {[pool.ltv_initial, pool.ltv_warning, pool.ltv_liquidation].map((line) => (
        <span
          key={line}
          title={formatPercent(line)}
          className="absolute inset-y-0 w-px bg-text"
          style={{ left: `${percentAt(line)}%` }}
        />
      ))}
    </div>
  )
}

/** The word for a health. */
export function healthText(health: Health): string {
  switch (health) {
    case 'safe':
      return m.stake_health_safe()
    case 'fair':
      return m.stake_health_fair()
    case 'at_risk':
      return m.stake_health_at_risk()
    case 'to_be_cleared':
      return m.stake_health_to_be_cleared()
    case 'overdue':
      return m.stake_health_overdue()
  }
}

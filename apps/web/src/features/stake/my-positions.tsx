import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Card, Section } from '@clearwell/ui/components/card.tsx'
import { Line } from '@clearwell/ui/components/line.tsx'
import { Stat } from '@clearwell/ui/components/stat.tsx'
import { formatOwedUsdt, formatPercent, formatUsdt } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { HealthMark, healthOfLoan, LtvBar } from './health-mark.tsx'
import { InterestText } from './interest-text.tsx'
import { byDanger } from './loan-danger.ts'
import { shownIncome, shownPledge } from './shown-income.ts'
import type { Loan, MarketPool, Pledge } from './stake.queries.ts'

const DECIMALS = 18
const ONE = 10n ** 18n

interface PositionsProps {
  readonly market: readonly MarketPool[]
  /** Those with something in them. */
  readonly pledges: readonly Pledge[]
  /** Open ones. */
  readonly loans: readonly Loan[]
}

/** The user's pledges and loans, with their sums first. */
export function Positions({ market, pledges, loans }: PositionsProps) {
  return (
    <>
      <PositionsHero market={market} pledges={pledges} loans={loans} />
      <MyLoans market={market} loans={loans} />
      <MyPledges pledges={pledges} />
    </>
  )
}

/** The user's pledges and debts in USDT. */
function PositionsHero({ market, pledges, loans }: PositionsProps) {
  const pledged = valueUsdt(
    // As the rows below show it.
    pledges.map(({ asset, total_pledged }) => ({ asset, amount: shownPledge(total_pledged) })),
    { market, rounding: 'down' },
  )
  const owed = valueUsdt(
    loans.map(({ borrow_asset: asset, total_debt: amount }) => ({ asset, amount })),
    { market, rounding: 'up' },
  )
  return (
    <Card>
      <div className="grid grid-cols-2 gap-4">
        <Stat label={m.stake_my_pledged()} value={<Value usdt={pledged} format={formatUsdt} />} />
        <Stat label={m.stake_my_debt()} value={<Value usdt={owed} format={formatOwedUsdt} />} />
      </div>
    </Card>
  )
}

function Value({ usdt, format }: { usdt: string | undefined; format: (usdt: string) => string }) {
  const { hidden } = useHiddenAmounts()
  if (hidden) return HIDDEN_TEXT
  if (usdt === undefined) return <span className="text-muted">{m.stake_health_unknown()}</span>
  return <span title={m.stake_worth({ usdt })}>{format(usdt)}</span>
}

/** The value of amounts: of a pledge rounded down, of a debt up, as in the wallet. `undefined` while a price is out of date. */
function valueUsdt(
  amounts: readonly { readonly asset: string; readonly amount: string }[],
  { market, rounding }: { market: readonly MarketPool[]; rounding: 'down' | 'up' },
): string | undefined {
  let sum = 0n
  for (const { asset, amount } of amounts) {
    const price = market.find((pool) => pool.asset === asset)?.price
    const units = parseUnits(amount, DECIMALS) ?? 0n
    if (units === 0n) continue
    if (price === null || price === undefined) return undefined
    sum += mulDiv(units, parseUnits(price, DECIMALS) ?? 0n, ONE, rounding)
  }
  return formatUnits(sum, DECIMALS)
}

/** The user's open loans, the one in the greatest danger first. */
function MyLoans({ market, loans }: Pick<PositionsProps, 'market' | 'loans'>) {
  return (
    <Section
      title={m.stake_my_loans()}
      action={
        <Link to="/{-$locale}/stake/lend/orders" className="inline-flex min-h-11 items-center text-accent">
          {m.stake_all_orders()}
        </Link>
      }
    >
      {loans.length === 0 ? (
        <p className="text-muted">{m.stake_no_loans()}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {byDanger(loans, market, Date.now()).map((loan) => (
            <li key={loan.order_id}>
              <LoanRow loan={loan} pool={market.find(({ asset }) => asset === loan.borrow_asset)} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function LoanRow({ loan, pool }: { loan: Loan; pool: MarketPool | undefined }) {
  const health = healthOfLoan(loan, pool)
  return (
    <Link
      to="/{-$locale}/stake/lend/orders"
      search={{ status: loan.status }}
      className="flex min-h-16 items-center gap-3 max-magnified:flex-wrap py-3"
    >
      <TokenMark asset={loan.borrow_asset} />
      <span className="flex min-w-0 flex-1 flex-col gap-1 max-magnified:order-last max-magnified:basis-full">
        <Line
          start={<AmountText amount={loan.total_debt} asset={loan.borrow_asset} raises className="font-semibold" />}
          end={<HealthMark health={health} />}
        />
        {pool && loan.ltv !== null && <LtvBar ltv={loan.ltv} pool={pool} health={health} />}
        <Line
          start={
            <span className="text-secondary text-muted">
              {m.stake_against()} <AmountText amount={loan.collateral_amount} asset={loan.collateral_asset} />
            </span>
          }
          end={
            loan.ltv !== null && (
              <span className="text-secondary text-muted">{m.stake_ltv_short({ ltv: formatPercent(loan.ltv) })}</span>
            )
          }
        />
      </span>
      <Icon name="chevron-right" className="ms-auto text-muted" />
    </Link>
  )
}

/** The user's pledges. Each leads to its form. */
function MyPledges({ pledges }: Pick<PositionsProps, 'pledges'>) {
  return (
    <Section title={m.stake_my_pledges()}>
      {pledges.length === 0 ? (
        <p className="text-muted">{m.stake_no_pledges()}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {pledges.map((pledge) => (
            <li key={pledge.asset}>
              <PledgeRow pledge={pledge} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function PledgeRow({ pledge: { asset, total_pledged, actual_income, rate } }: { pledge: Pledge }) {
  return (
    <Link
      to="/{-$locale}/stake/pledge"
      search={{ asset }}
      className="flex min-h-16 items-center gap-3 py-2 max-magnified:flex-wrap"
    >
      <TokenMark asset={asset} />
      <span className="flex min-w-0 flex-1 flex-col max-magnified:basis-1/2">
        <span className="font-semibold">{asset}</span>
        <span className="text-secondary text-muted">{m.stake_rate_now({ apr: formatPercent(rate) })}</span>
      </span>
      <span className="flex shrink-0 flex-col items-end max-magnified:shrink max-magnified:text-end">
        <AmountText amount={shownPledge(total_pledged)} />
        <span className="text-secondary text-muted">
          {m.stake_income()} <InterestText amount={shownIncome(actual_income)} signed />
        </span>
      </span>
      <Icon name="chevron-right" className="text-muted" />
    </Link>
  )
}

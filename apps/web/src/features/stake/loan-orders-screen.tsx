import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactGrid } from '@clearwell/ui/components/fact-grid.tsx'
import { lazySheet, usePreloaded } from '@clearwell/ui/components/lazy-part.tsx'
import { Line } from '@clearwell/ui/components/line.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { NoCards, Screen } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { shortHex } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { HealthMark, healthOfLoan, isOverAtOnePrice, LtvBar } from './health-mark.tsx'
import { byDanger, isOpenLoan } from './loan-danger.ts'
import { endFacts, loanFacts, loanStatus } from './loan-facts.tsx'
import { PriceNote } from './price-note.tsx'
import {
  type Loan,
  type LoanStatus,
  type MarketPool,
  useLoans,
  useOpenLoans,
  usePairPrice,
  useStakeMarket,
} from './stake.queries.ts'
import { LOANS, USDT_POOL } from './stake.samples.ts'
import { readOrdersFilter } from './stake-search.ts'

const RepaySheet = lazySheet(() => import('./repay-sheet.tsx'))
const SHEETS = [RepaySheet]

const STATUSES = [2, 0, 1, -1] as const satisfies readonly LoanStatus[]
const NONE_OF_STATUS: Record<LoanStatus, () => string> = {
  2: m.stake_orders_no_normal,
  0: m.stake_orders_no_to_be_cleared,
  1: m.stake_orders_no_completed,
  [-1]: m.stake_orders_no_liquidated,
}

/** The user's loan orders, by status, each with its display fields and its next steps. */
export default function LoanOrdersScreen() {
  const { status, repay } = useReadSearch(readOrdersFilter)
  const { signedIn } = useAccount()
  const navigate = useNavigate()
  const market = useStakeMarket()
  const orders = useLoans(status)
  const open = useOpenLoans()
  const [repaying, setRepaying] = useState<Loan>()
  const [isAsked, setAsked] = useState(repay !== undefined)
  const asked = isAsked ? open.data?.find(({ order_id }) => order_id === repay) : undefined
  if (asked) {
    // Kept from its first sight on: once it is repaid, no open loan has the id of the address, and its sheet shows the outcome.
    setAsked(false)
    setRepaying(asked)
  }
  const isInDanger = open.data?.some((loan) => loan.status === 0)
  usePreloaded(SHEETS)
  const choose = (next: string) =>
    void navigate({
      to: '/{-$locale}/stake/lend/orders',
      search: next === 'all' ? {} : { status: Number(next) as LoanStatus },
      replace: true,
      resetScroll: false,
    })
  return (
    <Screen
      title={m.title_stake_lend_orders()}
      aside={orders.isError && orders.data && <Badge tone="warning">{m.ui_stale()}</Badge>}
      action={
        signedIn &&
        // Repaying comes first: it is the main action of each such loan.
        !isInDanger && (
          <Link to="/{-$locale}/stake/lend" className={buttonClass()}>
            {m.stake_borrow()}
          </Link>
        )
      }
    >
      {signedIn ? (
        <>
          <SegmentedControl
            label={m.stake_order_filter()}
            options={[
              { value: 'all', label: m.stake_status_all() },
              ...STATUSES.map((each) => ({ value: String(each), label: loanStatus(each).text })),
            ]}
            value={status === undefined ? 'all' : String(status)}
            onChange={choose}
          />
          <Orders orders={orders} open={open} status={status} market={market} onRepay={setRepaying} />
        </>
      ) : (
        <SignedOut icon="receipt-text" title={m.stake_signed_out()} />
      )}
      {repaying && (
        <RepaySheet
          loan={orders.data?.find(({ order_id }) => order_id === repaying.order_id) ?? repaying}
          leastLoan={market.data?.find(({ asset }) => asset === repaying.borrow_asset)?.min_loan}
          onClose={() => setRepaying(undefined)}
        />
      )}
    </Screen>
  )
}

interface OrdersProps {
  readonly orders: ReturnType<typeof useLoans>
  readonly open: ReturnType<typeof useOpenLoans>
  readonly status: LoanStatus | undefined
  readonly market: ReturnType<typeof useStakeMarket>
  readonly onRepay: (loan: Loan) => void
}

function Orders({ orders, open, status, market, onRepay }: OrdersProps) {
  const isMissing = ({ data, isError }: { data: unknown; isError: boolean }) => data === undefined && !isError
  // The market has the lines of each loan's bar, and its health. The list shows without them only if it fails.
  if (!orders.data || isMissing(market) || isMissing(open))
    return orders.isError ? (
      <NoCards>
        <ErrorState error={orders.error} onRetry={orders.refetch} />
      </NoCards>
    ) : (
      <Pending>
        <OrderList loans={LOANS} market={[USDT_POOL]} onRepay={onRepay} />
      </Pending>
    )
  if (orders.data.length === 0)
    return (
      <NoCards>
        <NoOrders status={status} />
      </NoCards>
    )
  return (
    <>
      <OrderList
        loans={first(open.data ?? [], orders.data, { status, market: market.data ?? [] })}
        market={market.data ?? []}
        onRepay={onRepay}
      />
      <ListEnd {...orders} />
    </>
  )
}

/** No loan of a status is not the same as no loan at all: it leads to all of them. */
function NoOrders({ status }: { status: LoanStatus | undefined }) {
  if (status === undefined)
    return <EmptyState icon="receipt-text" title={m.stake_orders_empty()} text={m.stake_orders_empty_text()} />
  return (
    <EmptyState
      icon="receipt-text"
      title={NONE_OF_STATUS[status]()}
      action={
        <Link to="/{-$locale}/stake/lend/orders" search={{}} replace className={buttonClass('quiet')}>
          {m.stake_all_orders()}
        </Link>
      }
    />
  )
}

/** The open loans first, the one in the greatest danger on top; then the others, the newest first. */
function first(
  open: readonly Loan[],
  all: readonly Loan[],
  { status, market }: { status: LoanStatus | undefined; market: readonly MarketPool[] },
): Loan[] {
  const pinned = open.filter((loan) => status === undefined || loan.status === status)
  const ids = new Set(pinned.map(({ order_id }) => order_id))
  return [...byDanger(pinned, market, Date.now()), ...all.filter(({ order_id }) => !ids.has(order_id))]
}

interface OrderListProps extends Pick<OrdersProps, 'onRepay'> {
  readonly loans: readonly Loan[]
  readonly market: readonly MarketPool[]
}

function OrderList({ loans, market, onRepay }: OrderListProps) {
  return (
    <ul className="screen-cards">
      {loans.map((loan) => (
        <li key={loan.order_id}>
          <LoanCard
            loan={loan}
            pool={market.find(({ asset }) => asset === loan.borrow_asset)}
            onRepay={() => onRepay(loan)}
          />
        </li>
      ))}
    </ul>
  )
}

function LoanCard({ loan, pool, onRepay }: { loan: Loan; pool: MarketPool | undefined; onRepay: () => void }) {
  const status = loanStatus(loan.status)
  const isOpen = isOpenLoan(loan)
  const health = isOpen ? healthOfLoan(loan, pool) : undefined
  const headLabel = isOpen ? m.stake_total_debt() : m.stake_borrowed_amount()
  return (
    <Card className="flex flex-col gap-3">
      <header className="flex items-center gap-3 max-magnified:flex-wrap">
        <TokenMark asset={loan.borrow_asset} />
        <span className="flex min-w-0 flex-1 flex-col max-magnified:basis-full">
          <Line
            start={<span className="text-label text-muted">{headLabel}</span>}
            end={<Badge tone={status.tone}>{status.text}</Badge>}
          />
          <Line
            start={
              <AmountText
                amount={isOpen ? loan.total_debt : loan.borrowed_amount}
                asset={loan.borrow_asset}
                raises={isOpen}
                className="text-section"
              />
            }
            end={isOpen && health !== 'to_be_cleared' && <HealthMark health={health} className="text-secondary" />}
          />
        </span>
      </header>
      {isOpen && pool && loan.ltv !== null && <LtvBar ltv={loan.ltv} pool={pool} health={health} />}
      <LoanNotes loan={loan} pool={pool} />
      <FactGrid
        facts={[
          ...endFacts(loan),
          ...loanFacts(loan).filter(({ label }) => label !== headLabel),
          { label: m.stake_created(), value: formatDateTime(loan.created_at) },
          { label: m.stake_order_id(), value: <OrderId id={loan.order_id} /> },
        ]}
      />
      {loan.status === -1 && (
        <Link
          to="/{-$locale}/stake/receipt"
          search={{ order: loan.order_id }}
          className={buttonClass('quiet', 'small')}
        >
          {m.stake_receipt()}
        </Link>
      )}
      {isOpen && <LoanActions loan={loan} health={health} onRepay={onRepay} />}
    </Card>
  )
}

/** Facts that the borrower should know about an open loan, in sentences. */
function LoanNotes({ loan, pool }: { loan: Loan; pool: MarketPool | undefined }) {
  const { status, collateral_asset: collateral, borrow_asset: borrow } = loan
  const price = usePairPrice(collateral, borrow)
  if (!isOpenLoan(loan)) return null
  return (
    <>
      {status === 0 && (
        <p className="text-warn">
          {healthOfLoan(loan, pool) === 'overdue' ? m.stake_overdue_text() : m.stake_to_be_cleared_text()}
        </p>
      )}
      {isOverAtOnePrice(loan, pool) && <p className="text-warn">{m.stake_over_at_one_price()}</p>}
      <PriceNote state={price?.state} />
    </>
  )
}

/** The next steps of an open loan. Collateral does not cure a passed repayment time, so it is not offered then. */
function LoanActions({
  loan,
  health,
  onRepay,
}: {
  loan: Loan
  health: ReturnType<typeof healthOfLoan>
  onRepay: () => void
}) {
  const repay = (
    // A loan that anyone can liquidate is the one to act on.
    <Button look={loan.status === 0 ? 'main' : 'quiet'} size="small" onClick={onRepay}>
      {m.stake_repay()}
    </Button>
  )
  if (health === 'overdue') return repay
  return (
    <div className="grid grid-cols-2 gap-2">
      {repay}
      <Link to="/{-$locale}/stake/lend/add" search={{ order: loan.order_id }} className={buttonClass('quiet', 'small')}>
        {m.title_stake_lend_add()}
      </Link>
    </div>
  )
}

/** A shortened order number with a button that copies it in full. */
function OrderId({ id }: { id: string }) {
  return (
    <span className="-my-3 inline-flex items-center">
      {shortHex(id)}
      <CopyButton text={id} label={m.stake_copy_order_id()} />
    </span>
  )
}

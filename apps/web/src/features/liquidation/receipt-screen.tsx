import { useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { formatAmount, formatPercent, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { formatDate, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { isFinalRefusal } from '../../api/api-error.ts'
import type { ReceiptContent } from '../../components/receipt-layout.ts'
import { ShareReceipt } from '../../components/share-receipt.tsx'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { compareReceipt } from './compare-receipt.ts'
import { type Receipt, useReceipt, useReceipts } from './liquidation.queries.ts'
import { receiptOf } from './liquidation.samples.ts'
import { amountText } from './liquidation-refusal.ts'
import { Copied } from './order-card.tsx'
import { ReceiptParts } from './receipt-parts.tsx'
import { ReceiptReplay } from './receipt-replay.tsx'

/** The liquidated order, and one of the parts in which it was cleared. */
export interface ShownReceipt {
  readonly order?: string
  readonly part?: string
}

/** `?order=…` shows the receipts of a liquidated order, with `&part=…` one of them. */
function readShownReceipt({ order, part }: Record<string, unknown>): ShownReceipt {
  return {
    ...(typeof order === 'string' ? { order } : {}),
    ...(typeof part === 'string' ? { part } : {}),
  }
}

/**
 * The receipt of a liquidation for either side, and its formula recalculated in this browser. An order that was cleared in parts has one
 * for each: without `part`, a list of them.
 */
export default function ReceiptScreen() {
  const { order, part } = useReadSearch(readShownReceipt)
  const { signedIn } = useAccount()
  const receipts = useReceipts(order)
  const listed = part === undefined ? onlyOf(receipts) : receipts.data?.find((each) => each.liquidation_id === part)
  // A part that is further down the list than its first page.
  const single = useReceipt(order ?? '', listed || receipts.data === undefined ? undefined : part)
  const shown = listed ?? single.data?.items[0]
  return <Screen title={m.title_stake_receipt()}>{content()}</Screen>

  function content(): ReactNode {
    if (!signedIn)
      return (
        <SignedOut
          icon="receipt-text"
          title={m.liquidation_receipt_signed_out()}
          text={m.liquidation_receipt_signed_out_text()}
        />
      )
    if (shown) return <Shown receipt={shown} hasOthers={(receipts.data?.length ?? 1) > 1} />
    if (receipts.data && receipts.data.length > 1 && part === undefined) return <ReceiptParts receipts={receipts} />
    const failed = receipts.isError ? receipts : single.isError ? single : undefined
    if (order === undefined || (isFinalRefusal(failed?.error) && failed.error.codeName === 'not_found'))
      return <NoReceipt />
    return failed ? (
      <ErrorState error={failed.error} onRetry={failed.refetch} />
    ) : (
      <Pending>
        <Shown receipt={receiptOf()} hasOthers={false} />
      </Pending>
    )
  }
}

/** The receipt of an order that was cleared in one part. */
function onlyOf({ data, hasNextPage }: ReturnType<typeof useReceipts>): Receipt | undefined {
  return data?.length === 1 && !hasNextPage ? data[0] : undefined
}

function NoReceipt() {
  return (
    <EmptyState
      icon="receipt-text"
      title={m.liquidation_receipt_none()}
      text={m.liquidation_receipt_none_text()}
      action={
        <Link to="/{-$locale}/stake/liquidate" className={buttonClass('quiet', 'small')}>
          {m.liquidation_receipt_market()}
        </Link>
      }
    />
  )
}

function Shown({ receipt, hasOthers }: { receipt: Receipt; hasOthers: boolean }) {
  const comparison = useMemo(() => compareReceipt(receipt), [receipt])
  const facts = factsOf(receipt)
  return (
    <>
      <Head receipt={receipt} />
      {hasOthers && (
        <Link
          to="/{-$locale}/stake/receipt"
          search={{ order: receipt.order_id }}
          className={buttonClass('quiet', 'small')}
        >
          {m.liquidation_receipt_all()}
        </Link>
      )}
      <FactList
        facts={[
          ...facts,
          {
            label: m.liquidation_order_id(),
            value: <Copied text={receipt.order_id} label={m.liquidation_copy_order_id()} />,
          },
          {
            label: m.liquidation_id(),
            value: <Copied text={receipt.liquidation_id} label={m.liquidation_copy_id()} />,
          },
        ]}
      />
      <ReceiptReplay receipt={receipt} comparison={comparison} />
      <ShareReceipt receipt={pictureOf(receipt, facts)} />
    </>
  )
}

/** The outcome for this side, in words. */
function Head({ receipt }: { receipt: Receipt }) {
  const { side, collateral_asset: collateral, lending_asset: lending } = receipt
  const isBorrower = side === 'borrower'
  const received = amountText(receipt.received, collateral)
  const { hide } = useHiddenAmounts()
  return (
    <Card className="flex flex-col items-center gap-2 text-center text-balance">
      <Badge tone={isBorrower ? 'warning' : 'done'}>
        {isBorrower ? m.liquidation_receipt_borrower() : m.liquidation_receipt_liquidator()}
      </Badge>
      <p className="figures max-w-full text-amount [overflow-wrap:anywhere]">
        <AmountText
          amount={isBorrower ? `-${receipt.received}` : receipt.received}
          asset={collateral}
          signed
          className="whitespace-normal"
        />
      </p>
      <p className="text-muted">
        {hide(
          isBorrower
            ? sentences(
                m.liquidation_receipt_borrower_text({ received, debt: amountText(receipt.steps.debt_ended, lending) }),
                afterText(receipt),
              )
            : m.liquidation_receipt_liquidator_text({ paid: amountText(receipt.paid, lending), received }),
        )}
      </p>
    </Card>
  )
}

/** Says how the borrower's order ended, or how much of it is left. */
function afterText({ steps, returned, collateral_asset, lending_asset }: Receipt): string {
  if (steps.status_after !== -1)
    return m.liquidation_receipt_rest({
      rest: amountText(steps.remaining_debt, lending_asset),
      kept: amountText(steps.kept, collateral_asset),
    })
  return /[1-9]/.test(returned)
    ? m.liquidation_receipt_returned({ returned: amountText(returned, collateral_asset) })
    : m.liquidation_receipt_returned_none()
}

function factsOf(receipt: Receipt): { label: string; value: string }[] {
  const { inputs, steps, side, collateral_asset: collateral, lending_asset: lending } = receipt
  const over = m.liquidation_receipt_over_limit({ limit: formatPercent(inputs.ltv_liquidation) })
  const lost = [
    { label: m.liquidation_receipt_insurance(), amount: receipt.paid_by_insurance },
    { label: m.liquidation_receipt_pledgers(), amount: receipt.lost_by_pledgers },
  ].filter(({ amount }) => /[1-9]/.test(amount))
  return [
    {
      label: m.liquidation_receipt_reason(),
      value: steps.is_over_limit ? over : m.liquidation_receipt_overdue(),
    },
    { label: m.liquidation_step_ended(), value: amountText(steps.debt_ended, lending) },
    { label: m.liquidation_receipt_paid(), value: amountText(receipt.paid, lending) },
    { label: m.liquidation_receipt_received(), value: amountText(receipt.received, collateral) },
    ...(steps.status_after === -1
      ? [{ label: m.liquidation_receipt_back(), value: amountText(receipt.returned, collateral) }]
      : [
          { label: m.liquidation_rest(), value: amountText(steps.remaining_debt, lending) },
          { label: m.liquidation_step_kept(), value: amountText(steps.kept, collateral) },
        ]),
    ...lost.map(({ label, amount }) => ({ label, value: amountText(amount, lending) })),
    ...(side === 'liquidator'
      ? [{ label: m.liquidation_receipt_profit(), value: amountText(steps.profit, lending) }]
      : []),
    { label: m.liquidation_receipt_time(), value: timeText(receipt.created_at) },
    { label: m.liquidation_receipt_price_time(), value: timeText(inputs.price_time) },
  ]
}

/** The receipt as a picture to share. */
function pictureOf(receipt: Receipt, facts: readonly { label: string; value: string }[]): ReceiptContent {
  return {
    title: m.title_stake_receipt(),
    amounts: [
      {
        amount: formatAmount(receipt.received, { decimals: significantDecimals(receipt.received) }),
        asset: receipt.collateral_asset,
      },
    ],
    facts: [...facts, { label: m.liquidation_order_id(), value: receipt.order_id, isCode: true }],
    fileName: `clearwell-liquidation-${receipt.created_at.slice(0, 10)}.png`,
  }
}

function timeText(iso: string): string {
  return `${formatDate(iso)} ${formatTime(iso)}`
}

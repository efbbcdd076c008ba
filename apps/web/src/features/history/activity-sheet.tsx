import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { HashText } from '@clearwell/ui/components/hash-text.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { formatAmount, shortHex, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { formatDate, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useConfig } from '../../api/config.ts'
import { useCall } from '../../api/use-call.ts'
import type { ReceiptContent } from '../../components/receipt-layout.ts'
import { ShareReceipt } from '../../components/share-receipt.tsx'
import { m } from '../../generated/messages.ts'
import type { ActivityItem } from './activity-items.ts'
import { kindName, shownAs } from './entry-names.ts'
import { HeaderLink } from './header-link.tsx'

const ALL_DECIMALS = 18
/** How many orders to look through for the one of this item. */
const ORDERS_SEARCHED = 100

/** One item of the activity in full, as a receipt that can be shared. */
export default function ActivitySheet({ item, onClose }: { item: ActivityItem; onClose: () => void }) {
  const { hidden } = useHiddenAmounts()
  const explorer = useConfig()?.chain.explorer_url ?? null
  const order = useOrderOf(item)
  const facts = factsOf(item, order)
  return (
    <Sheet title={kindName(item.kind)} onClose={onClose}>
      <div className="flex flex-col items-center gap-1 py-2 text-center">
        {item.moved.map(({ asset, amount }) => (
          <p key={asset} className="figures text-amount max-w-full [overflow-wrap:anywhere]">
            {hidden ? (
              HIDDEN_TEXT
            ) : (
              <AmountText amount={amount} asset={asset} signed raisesOut className="whitespace-normal" />
            )}
          </p>
        ))}
      </div>
      <FactList
        facts={facts.map(({ label, value, kind }) => ({
          label,
          value: shownFact({ value, kind, explorer, item, hidden }),
        }))}
      />
      <div className="flex flex-col gap-3">
        {!item.pending && !hidden && <ShareReceipt receipt={receiptOf(item, facts)} />}
        {order.link && (
          <Link {...order.link} className={buttonClass('quiet')}>
            {item.kind === 'liquidation' ? m.title_stake_receipt() : m.history_receipt_progress()}
          </Link>
        )}
        {item.entry && <HeaderLink entry={item.entry} />}
      </div>
    </Sheet>
  )
}

interface Fact {
  readonly label: string
  readonly value: string
  readonly kind?: 'hash' | 'swap' | 'order' | 'amount' | undefined
}

interface OrderOfItem {
  readonly id?: string
  readonly fee?: string
  readonly link?:
    | {
        readonly to: '/{-$locale}/wallet/sendTransaction'
        readonly search: { readonly order: string; readonly way?: 'out' }
      }
    | { readonly to: '/{-$locale}/stake/receipt'; readonly search: { readonly order: string } }
}

/** The order behind an item: a transfer's by its transaction, a swap's by its id. */
function useOrderOf({ kind, reference, orderId }: ActivityItem): OrderOfItem {
  const ofIn = useCall('buyOrders', { limit: ORDERS_SEARCHED }, { enabled: kind === 'deposit' && !orderId })
  const ofOut = useCall('sellOrders', { limit: ORDERS_SEARCHED }, { enabled: kind === 'withdrawal' && !orderId })
  const ofSwap = useCall('orders', { limit: ORDERS_SEARCHED }, { enabled: kind === 'swap' })
  const byHash = ({ tx_hash: hash }: { tx_hash: string | null }) => hash?.toLowerCase() === reference.toLowerCase()
  switch (kind) {
    case 'deposit':
      return linkTo(orderId ?? ofIn.data?.items.find(byHash)?.order_id)
    case 'withdrawal':
      return linkTo(orderId ?? ofOut.data?.items.find(byHash)?.order_id, 'out')
    case 'withdrawal_release':
      return linkTo(reference, 'out')
    case 'swap': {
      const swap = ofSwap.data?.items.find(({ transaction_id: id }) => id === reference)
      return swap ? { fee: `${swap.fee} ${assetSold(swap)}` } : {}
    }
    case 'liquidation':
      return { link: { to: '/{-$locale}/stake/receipt', search: { order: reference } } }
    default:
      return {}
  }
}

function linkTo(id: string | null | undefined, way?: 'out'): OrderOfItem {
  if (!id) return {}
  return { id, link: { to: '/{-$locale}/wallet/sendTransaction', search: way ? { order: id, way } : { order: id } } }
}

function assetSold({ symbol, inverse }: { symbol: string; inverse: 0 | 1 }): string {
  // A symbol is the base and the quote; every pool is quoted in USDT.
  return inverse === 1 ? 'USDT' : symbol.slice(0, -'USDT'.length)
}

function factsOf(item: ActivityItem, order: OrderOfItem): Fact[] {
  const { kind, moved, reference, time, pending } = item
  const [sold, bought] = moved
  const price = kind === 'swap' && sold && bought ? priceOf(sold, bought) : undefined
  const status = pending ? m.history_chain_pending({ n: pending.n, m: pending.m }) : m.history_receipt_done()
  const referenceFact: Fact =
    isHash(reference) && kind !== 'swap'
      ? { label: m.history_logs_hash(), value: reference, kind: 'hash' }
      : kind === 'swap' || kind === 'referral_share'
        ? { label: m.history_receipt_swap_id(), value: reference, kind: 'swap' }
        : { label: m.history_receipt_order(), value: reference, kind: 'order' }
  return [
    { label: m.history_receipt_status(), value: status },
    { label: m.history_logs_time(), value: `${formatDate(time)} ${formatTime(time)}` },
    ...(price ? [{ label: m.history_receipt_price(), value: price }] : []),
    ...(order.fee ? [{ label: m.history_receipt_fee(), value: order.fee, kind: 'amount' } as const] : []),
    referenceFact,
    ...(order.id && order.id !== reference
      ? [{ label: m.history_receipt_order(), value: order.id, kind: 'order' } as const]
      : []),
    ...(item.entry ? [{ label: m.history_logs_entry(), value: item.entry }] : []),
  ]
}

/** The price of one unit of the asset that is not USDT, cut after the last decimal. */
function priceOf(sold: ActivityItem['moved'][number], bought: ActivityItem['moved'][number]): string | undefined {
  const [base, quote] = sold.asset === 'USDT' ? [bought, sold] : [sold, bought]
  const units = (amount: string) => parseUnits(amount.replace('-', ''), ALL_DECIMALS) ?? 0n
  const baseUnits = units(base.amount)
  if (baseUnits === 0n) return undefined
  const price = mulDiv(units(quote.amount), 10n ** BigInt(ALL_DECIMALS), baseUnits, 'down')
  return `1 ${base.asset} = ${formatPrice(formatUnits(price, ALL_DECIMALS))} ${quote.asset}`
}

function shownFact({
  value,
  kind,
  explorer,
  item,
  hidden,
}: Pick<Fact, 'value' | 'kind'> & { explorer: string | null; item: ActivityItem; hidden: boolean }): ReactNode {
  switch (kind) {
    case 'hash':
      return item.explorerUrl === undefined ? (
        <HashText hash={value} explorer={explorer} copyLabel={m.history_copy_hash()} />
      ) : (
        <HashText hash={value} link={item.explorerUrl} copyLabel={m.history_copy_hash()} />
      )
    case 'swap':
    case 'order':
      return (
        <span className="-my-3 -me-2 inline-flex items-center font-mono text-label" title={value}>
          {shortHex(value)}
          <CopyButton
            text={value}
            label={kind === 'swap' ? m.history_receipt_copy_swap() : m.history_receipt_copy_order()}
          />
        </span>
      )
    case 'amount':
      return hidden ? HIDDEN_TEXT : value
    case undefined:
      return value
  }
}

/** The picture has whole hashes: it is what its reader checks on the chain. */
function receiptOf({ kind, moved, time }: ActivityItem, facts: readonly Fact[]): ReceiptContent {
  return {
    title: kindName(kind),
    amounts: moved.map(({ asset, amount }) => ({ amount: amountText(amount), asset })),
    facts: facts.map(({ label, value, kind: of }) => ({ label, value, isCode: of !== undefined && of !== 'amount' })),
    fileName: `clearwell-${shownAs(kind)?.fileName ?? kind.replaceAll('_', '-')}-${time.slice(0, 10)}.png`,
  }
}

/** The amount of a picture, at reading length and with its sign. */
function amountText(amount: string): string {
  return formatAmount(amount, { decimals: significantDecimals(amount), signed: true })
}

function isHash(reference: string): boolean {
  return /^0x[0-9a-f]{64}$/i.test(reference)
}

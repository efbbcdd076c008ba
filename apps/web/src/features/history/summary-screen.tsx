import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen, ScreenPart } from '@clearwell/ui/components/screen.tsx'
import { formatOwedUsdt, formatUsdt } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { accountName } from './entry-names.ts'
import { SUMMARY } from './history.samples.ts'
import { TransferInLink } from './history-parts.tsx'
import { ShareBar } from './share-bar.tsx'
import { filledParts, isNothing, type Summary, sharesOf, shownAssets, unpricedAssets } from './summary-figures.ts'
import type { Period } from './summary-period.ts'
import { readPeriod } from './summary-period.ts'
import { ValueOverTime } from './value-over-time.tsx'
import { ValueSteps } from './value-steps.tsx'

const POLL_MS = 30_000

/** The value of the user's assets: now, over time, by asset and by account. */
export default function SummaryScreen() {
  const { period = 'week' } = useReadSearch(readPeriod)
  const { signedIn } = useAccount()
  return signedIn ? (
    <AccountSummary period={period} />
  ) : (
    <Screen title={m.title_wallet_summary()}>
      <SignedOut icon="chart-no-axes-combined" title={m.history_summary_signed_out()} />
    </Screen>
  )
}

function AccountSummary({ period }: { period: Period }) {
  const summary = useCall('summary', { period }, { refetchInterval: POLL_MS })
  // Only the history depends on the period: the rest stays while another period loads.
  const latest = useRef(summary.data)
  latest.current = summary.data ?? latest.current
  const shown = latest.current
  return (
    <Screen
      title={m.title_wallet_summary()}
      aside={summary.isError && shown && <Badge tone="warning">{m.ui_stale()}</Badge>}
    >
      {shown ? (
        isNothing(shown) && shown === summary.data ? (
          <EmptyState
            icon="chart-no-axes-combined"
            title={m.history_summary_empty()}
            text={m.history_summary_empty_text()}
            action={<TransferInLink />}
          />
        ) : (
          <Figures shown={shown} period={period} summary={summary} />
        )
      ) : summary.isError ? (
        <ErrorState error={summary.error} onRetry={summary.refetch} />
      ) : (
        <Pending>
          <Figures shown={SUMMARY} period={period} summary={{ ...summary, data: SUMMARY }} />
        </Pending>
      )}
    </Screen>
  )
}

interface FiguresProps {
  readonly shown: Summary
  readonly period: Period
  /** The summary of the period, once it is loaded. */
  readonly summary: {
    readonly data: Summary | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
}

function Figures({ shown, period, summary: { data, error, refetch } }: FiguresProps) {
  return (
    <>
      <ScreenPart>
        <Total summary={shown} />
        <ValueOverTime period={period} summary={data} error={error} onRetry={refetch} />
        {data?.performance && <ValueSteps performance={data.performance} total={data.net_usdt} />}
      </ScreenPart>
      <ScreenPart>
        <ByAsset summary={shown} />
        <ByAccount summary={shown} />
        <ExportLink />
      </ScreenPart>
    </>
  )
}

function Total({ summary }: { summary: Summary }) {
  const { hidden, toggle } = useHiddenAmounts()
  return (
    <section aria-label={m.history_summary_total()} className="flex flex-col gap-1">
      <div className="flex items-center gap-1 text-label text-muted">
        {m.history_summary_total()}
        <IconButton
          icon={hidden ? 'eye-off' : 'eye'}
          label={hidden ? m.history_show() : m.history_hide()}
          aria-pressed={hidden}
          onClick={toggle}
          className="relative -my-2"
        />
      </div>
      {summary.net_usdt === null ? (
        <p className="text-warn">{m.history_summary_no_total({ assets: unpricedAssets(summary).join(' · ') })}</p>
      ) : (
        <p className="figures text-total [overflow-wrap:anywhere]">
          {hidden ? HIDDEN_TEXT : formatUsdt(summary.net_usdt)} <span className="text-body text-muted">USDT</span>
        </p>
      )}
      <Debts summary={summary} hidden={hidden} />
    </section>
  )
}

/** The parts of the total for a user who owes something. */
function Debts({ summary, hidden }: { summary: Summary; hidden: boolean }) {
  const debts = summary.owed_usdt
  const assets = shownAssets(summary)
  if (assets === undefined || debts === null || !/[1-9]/.test(debts) || hidden) return null
  return (
    <p className="figures text-secondary text-muted">
      {m.history_summary_debts({ assets: formatUsdt(assets), debts: formatOwedUsdt(debts) })}
    </p>
  )
}

function ByAsset({ summary }: { summary: Summary }) {
  const { hidden } = useHiddenAmounts()
  return (
    <ShareBar
      title={m.history_by_asset()}
      parts={sharesOf(filledParts(summary.by_asset)).map(({ part, share }) => ({
        name: part.asset,
        share,
        value: hidden ? HIDDEN_TEXT : <AmountText amount={part.amount} asset={part.asset} />,
        detail: <Worth value={part.value_usdt} hidden={hidden} />,
      }))}
    />
  )
}

function ByAccount({ summary }: { summary: Summary }) {
  const { hidden } = useHiddenAmounts()
  return (
    <ShareBar
      title={m.history_by_status()}
      parts={sharesOf(filledParts(summary.by_place)).map(({ part, share }) => ({
        name: accountName(part.place),
        share,
        value: <Worth value={part.value_usdt} hidden={hidden} />,
      }))}
    />
  )
}

function Worth({ value, hidden }: { value: string | null; hidden: boolean }) {
  if (value === null) return '—'
  return hidden ? HIDDEN_TEXT : `${formatUsdt(value)} USDT`
}

function ExportLink() {
  return (
    <Link
      to="/{-$locale}/wallet/logs"
      className="flex min-h-14 items-center gap-3 rounded-card border border-line px-4 py-3 hover:bg-input"
    >
      <Icon name="download" className="text-accent" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span>{m.history_export_link()}</span>
        <span className="text-label text-muted">{m.history_export_link_text()}</span>
      </span>
      <Icon name="chevron-right" className="text-muted" />
    </Link>
  )
}

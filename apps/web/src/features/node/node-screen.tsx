import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Card, Section } from '@clearwell/ui/components/card.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Stat } from '@clearwell/ui/components/stat.tsx'
import { withWholeParts } from '@clearwell/ui/components/whole-parts.tsx'
import { formatAmount, formatPercent, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon, type IconName } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DemoMark } from '../../account/demo-mark.tsx'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { SumOfAssets } from '../../components/sum-of-assets.tsx'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { type NodeOverview, useNodeOverview } from './node.queries.ts'
import { INACTIVE, OVERVIEW } from './node.samples.ts'

/** My node: level, power and streak, the rewards to claim, and today's pool. */
export default function NodeScreen() {
  const { signedIn, user } = useAccount()
  const overview = useNodeOverview()
  const { data } = overview
  if (signedIn && data) return <Node overview={data} isStale={overview.isError} />
  if (signedIn && !overview.isError)
    return (
      <PendingScreen>
        <Node overview={user?.activated ? OVERVIEW : INACTIVE} isStale={false} />
      </PendingScreen>
    )
  return (
    <Screen title={m.nav_my_node()}>
      {signedIn ? <ErrorState error={overview.error} onRetry={overview.refetch} /> : <SignedOut />}
      <Links />
    </Screen>
  )
}

function Node({ overview, isStale }: { overview: NodeOverview; isStale: boolean }) {
  return (
    <Screen
      title={m.nav_my_node()}
      aside={<Aside overview={overview} isStale={isStale} />}
      action={<Action overview={overview} />}
    >
      <Hero overview={overview} />
      <Pool overview={overview} />
      <Links />
    </Screen>
  )
}

function Aside({ overview, isStale }: { overview: NodeOverview; isStale: boolean }) {
  if (isStale) return <Badge tone="warning">{m.ui_stale()}</Badge>
  return overview.activated ? (
    <Badge tone="done">{m.node_activated()}</Badge>
  ) : (
    <Badge tone="pending">{m.node_inactive()}</Badge>
  )
}

function SignedOut() {
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <p className="text-section text-balance">{m.node_welcome()}</p>
        <p className="text-muted">{m.node_welcome_text()}</p>
      </div>
      <GatedButton needs="session">{m.nav_connect()}</GatedButton>
    </Card>
  )
}

function Hero({ overview }: { overview: NodeOverview }) {
  const { claimable, claimable_boxes: boxes, claimable_until: until } = overview
  return (
    <Card className="flex flex-col gap-4">
      <Stat
        label={m.node_claimable()}
        value={<SumOfAssets amounts={claimable} none={m.node_claimable_none()} />}
        detail={
          boxes > 0 && until
            ? withWholeParts(m.node_claimable_by({ n: boxes, time: formatDateTime(until) }))
            : undefined
        }
      />
      <div className="grid grid-cols-2 items-end gap-4 border-t border-line pt-4">
        <Stat
          size="body"
          label={m.node_level()}
          value={m.node_level_value({ level: overview.level, factor: formatAmount(overview.level_factor) })}
        />
        <Stat
          size="body"
          label={m.node_streak()}
          value={m.node_streak_value({ n: overview.streak, factor: formatAmount(overview.streak_factor) })}
        />
        <Stat
          size="body"
          label={m.node_my_power()}
          value={overview.clicked ? powerText(overview.my_power) : '—'}
          detail={overview.clicked ? m.node_share({ percent: formatPercent(overview.share) }) : m.node_power_not_yet()}
        />
        <Stat
          size="body"
          label={m.node_network_power()}
          value={powerText(overview.network_power)}
          detail={m.node_contributors({ n: overview.contributors })}
        />
      </div>
    </Card>
  )
}

/** Fees in USDT times factors: four digits say enough. */
function powerText(power: string): string {
  return formatAmount(power, { decimals: significantDecimals(power) - 2 })
}

/** Today's pool, and the income of the user so far. */
function Pool({ overview }: { overview: NodeOverview }) {
  const pools = overview.pool.filter(({ pool }) => /[1-9]/.test(pool))
  return (
    <Section title={m.nav_pool_income()} action={<DemoMark />}>
      <h3 className="text-secondary text-muted">{m.node_pool_today()}</h3>
      {pools.length === 0 ? (
        <p className="text-muted">{m.node_pool_empty()}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {pools.map(({ asset, pool, rewards, contributed }) => (
            <li key={asset} className="flex min-h-16 items-center gap-3 py-2">
              <TokenMark asset={asset} />
              <span className="flex min-w-0 flex-1 flex-col">
                <span>{asset}</span>
                <span className="figures text-secondary text-muted">
                  {m.node_pool_of({ amount: formatAmount(rewards), fees: formatAmount(contributed) })}
                </span>
              </span>
              <AmountText isPublic amount={pool} />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-2 grid grid-cols-2 gap-4">
        <Stat size="body" label={m.node_income_last()} value={<SumOfAssets amounts={overview.last_income} />} />
        <Stat size="body" label={m.node_income_all()} value={<SumOfAssets amounts={overview.income} />} />
      </div>
    </Section>
  )
}

/** The next thing to do: activate, click, claim; else today's box. */
function Action({ overview }: { overview: NodeOverview }): ReactNode {
  if (!overview.activated) return <GatedButton needs="activation">{m.nav_blind_box()}</GatedButton>
  if (!overview.can_click && overview.claimable_boxes > 0)
    return (
      <Link to="/{-$locale}/node/claim" className={buttonClass()}>
        {m.title_node_claim()}
      </Link>
    )
  return (
    <Link to="/{-$locale}/node/blindBox" className={buttonClass(overview.can_click ? 'main' : 'quiet')}>
      {overview.can_click ? m.node_click() : m.nav_blind_box()}
    </Link>
  )
}

const LINKS = [
  { to: '/{-$locale}/node/blindBox', icon: 'box', label: m.nav_blind_box, text: m.node_link_box },
  { to: '/{-$locale}/node/claim', icon: 'coins', label: m.title_node_claim, text: m.node_link_claim },
  {
    to: '/{-$locale}/node/income',
    icon: 'chart-no-axes-combined',
    label: m.nav_pool_income,
    text: m.node_link_income,
  },
  { to: '/{-$locale}/team', icon: 'users', label: m.nav_my_team, text: m.node_link_team },
  { to: '/{-$locale}/node/aboutUs', icon: 'info', label: m.nav_about_us, text: m.node_link_about },
] as const satisfies readonly { icon: IconName; to: string; label: () => string; text: () => string }[]

function Links() {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {LINKS.map(({ to, icon, label, text }) => (
        <li key={to}>
          <Link to={to} className="flex min-h-16 items-center gap-3 py-2">
            <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-input text-muted">
              <Icon name={icon} />
            </span>
            <span className="flex min-w-0 flex-1 flex-col">
              <span>{label()}</span>
              <span className="text-secondary text-muted">{text()}</span>
            </span>
            <Icon name="chevron-right" className="text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

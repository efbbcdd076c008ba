import { Badge } from '@clearwell/ui/components/badge.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import type { ReactNode } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { InactiveNote } from '../../account/inactive-note.tsx'
import { type ConfigWith, fetchConfig, useConfig, useConfigError } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { usePairs } from './plan.queries.ts'
import { PAIRS, PLAN_CONFIG } from './plan.samples.ts'
import type { Pair, Trade } from './plan-trade.ts'

/** The pools and the configuration, without which no plan can be made. */
export interface Market {
  readonly config: ConfigWith<'plans'>
  readonly pairs: readonly [Pair, ...Pair[]]
  /** The pools could not be refreshed. */
  readonly isStale: boolean
}

/** Shows the form of a new plan once the pools are known, and until then its sample or the reason why there is none. */
export function WithMarket({ title, children }: { title: string; children: (market: Market) => ReactNode }) {
  const config = useConfig()
  const configError = useConfigError()
  const pairs = usePairs()
  const [first, ...others] = pairs.data ?? []
  if (config && first) return children({ config, pairs: [first, ...others], isStale: pairs.isError })
  if (!pairs.isError && !configError && (!pairs.data || first))
    return <PendingScreen>{children({ config: PLAN_CONFIG, pairs: PAIRS, isStale: false })}</PendingScreen>
  return (
    <Screen title={title}>
      {pairs.isError ? (
        <ErrorState error={pairs.error} onRetry={pairs.refetch} />
      ) : configError ? (
        <ErrorState error={configError} onRetry={fetchConfig} />
      ) : (
        <EmptyState icon="calendar-clock" title={m.plan_no_pools()} text={m.plan_no_pools_text()} />
      )}
    </Screen>
  )
}

/** The form of a new plan, with the button that leads to its confirmation. */
export function PlanFormScreen({
  title,
  market: { config, isStale },
  trade: { pair },
  isReady,
  onPress,
  children,
}: {
  title: string
  market: Market
  trade: Trade
  /** The plan is complete. Until then a press names what is missing. */
  isReady: boolean
  onPress: () => void
  children: ReactNode
}) {
  return (
    <Screen
      title={title}
      aside={
        isStale ? (
          <Badge tone="warning">{m.ui_stale()}</Badge>
        ) : (
          config.simulated_market && <Badge>{m.plan_simulated()}</Badge>
        )
      }
      action={
        <GatedButton needs="activation" look={isReady ? 'main' : 'idle'} onClick={onPress}>
          {m.plan_review()}
        </GatedButton>
      }
    >
      {pair.suspended && <Warning title={m.plan_suspended()} text={m.plan_suspended_text()} />}
      {children}
      <InactiveNote />
    </Screen>
  )
}

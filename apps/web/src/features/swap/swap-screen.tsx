import { fetchConfig, useConfig, useConfigError } from '../../api/config.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Screen } from '../../components/screen.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { usePairs, useQuotesAfterPairs } from './swap.queries.ts'
import { SwapForm } from './swap-form.tsx'

/** Swapping at the pools. `symbol` names the pair in the address; the first pair is the default (specification §7). */
export function SwapScreen({
  symbol,
  onSymbolChange,
}: {
  symbol: string | undefined
  onSymbolChange: (symbol: string) => void
}) {
  const config = useConfig()
  const configError = useConfigError()
  const pairs = usePairs()
  useQuotesAfterPairs(pairs)
  const pair = pairs.data?.find((each) => each.symbol === symbol) ?? pairs.data?.[0]
  if (pairs.data && pair && config)
    return (
      <SwapForm
        config={config}
        pairs={pairs.data}
        pair={pair}
        isStale={pairs.isError}
        onPairChange={(next) => onSymbolChange(next.symbol)}
      />
    )
  return (
    <Screen title={m.nav_swap()}>
      {pairs.isError ? (
        <ErrorState error={pairs.error} onRetry={pairs.refetch} />
      ) : configError ? (
        <ErrorState error={configError} onRetry={fetchConfig} />
      ) : pairs.data && !pair ? (
        <EmptyState icon="arrow-left-right" title={m.swap_no_pools()} text={m.swap_no_pools_text()} />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-4">
          <Skeleton className="h-14" />
          <div className="flex flex-col gap-5">
            <Skeleton className="h-44" />
            <Skeleton className="h-31" />
          </div>
          <Skeleton className="h-20" />
        </div>
      )}
    </Screen>
  )
}

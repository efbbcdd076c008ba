import { Badge } from '@clearwell/ui/components/badge.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen, ScreenPart } from '@clearwell/ui/components/screen.tsx'
import { Link } from '@tanstack/react-router'
import { ConnectButton } from '../../account/connect-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import { ParameterPreview } from './book/parameter-preview.tsx'
import { StressTest } from './book/stress-test.tsx'
import { MarketOverview } from './market-overview.tsx'
import { Positions } from './my-positions.tsx'
import { type MarketPool, useOpenLoans, usePledges, useStakeMarket } from './stake.queries.ts'
import { LOANS, PLEDGE, USDT_POOL } from './stake.samples.ts'

/** Staking: the user's pledges and loans, and the market that they are in. */
export default function StakeScreen() {
  const { signedIn } = useAccount()
  const market = useStakeMarket()
  const pools = market.data
  const positions = [usePledges(), useOpenLoans()]
  // The market appears with the positions above it, which would push it down.
  const isKnown = !signedIn || positions.every(({ data, isError }) => data !== undefined || isError)
  return (
    <Screen
      title={m.nav_staking()}
      aside={market.isError && pools && <Badge tone="warning">{m.ui_stale()}</Badge>}
      action={
        <div className="grid grid-cols-2 gap-2">
          <Link to="/{-$locale}/stake/pledge" className={buttonClass()}>
            {m.stake_pledge()}
          </Link>
          <Link to="/{-$locale}/stake/lend" className={buttonClass('quiet')}>
            {m.stake_borrow()}
          </Link>
        </div>
      }
    >
      {market.isError && !pools ? (
        <ErrorState error={market.error} onRetry={market.refetch} />
      ) : !pools || !isKnown ? (
        <Pending>
          <ScreenPart>
            {signedIn ? (
              <Positions market={[USDT_POOL]} pledges={[PLEDGE]} loans={LOANS} />
            ) : (
              <Welcome isSignedIn={false} />
            )}
          </ScreenPart>
          <Market market={[USDT_POOL]} />
        </Pending>
      ) : pools.length === 0 ? (
        <EmptyState icon="landmark" title={m.stake_no_pools()} text={m.stake_no_pools_text()} />
      ) : (
        <>
          <ScreenPart>{signedIn ? <MyPositions market={pools} /> : <Welcome isSignedIn={false} />}</ScreenPart>
          <Market market={pools} />
        </>
      )}
    </Screen>
  )
}

/** The market that everyone sees. */
function Market({ market }: { market: readonly MarketPool[] }) {
  return (
    <ScreenPart>
      <MarketOverview market={market} />
      <StressTest />
      <ParameterPreview />
      <Link to="/{-$locale}/stake/liquidate" className="inline-flex min-h-11 items-center self-start text-accent">
        {m.nav_liquidation_market()}
      </Link>
    </ScreenPart>
  )
}

/** The user's positions, or what one can do here while there are none. */
function MyPositions({ market }: { market: readonly MarketPool[] }) {
  const pledges = usePledges()
  const loans = useOpenLoans()
  const failed = pledges.isError && !pledges.data ? pledges : loans.isError && !loans.data ? loans : undefined
  if (failed) return <ErrorState error={failed.error} onRetry={failed.refetch} />
  if (!pledges.data || !loans.data) return null
  const held = pledges.data.filter(({ total_pledged: total }) => /[1-9]/.test(total))
  if (held.length === 0 && loans.data.length === 0) return <Welcome isSignedIn />
  return <Positions market={market} pledges={held} loans={loans.data} />
}

/** Explains pledging and borrowing to a user without either. */
function Welcome({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <p className="text-section text-balance">{m.stake_welcome()}</p>
        <p className="text-muted">{m.stake_welcome_text()}</p>
      </div>
      {isSignedIn ? (
        <Link to="/{-$locale}/stake/lend/orders" className="-my-2 inline-flex min-h-11 items-center text-accent">
          {m.stake_all_orders()}
        </Link>
      ) : (
        <ConnectButton />
      )}
    </Card>
  )
}

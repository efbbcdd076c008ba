import { useInView } from '@clearwell/ui/browser/in-view.ts'
import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { useAccount } from '../../account/use-account.ts'
import { MarketList } from '../../features/market/market-list.tsx'
import { ProofSlot } from '../../features/proof/proof-slot.tsx'
import { m } from '../../generated/messages.ts'
import { together } from '../../manifest/together.ts'
import { loadWords } from '../../manifest/words.ts'
import { Hero } from './hero.tsx'
import { OverviewSkeleton } from './overview-skeleton.tsx'

const AccountOverview = lazyPart(() => import('./account-overview.tsx'))
const Explore = lazyPart(() => import('./explore.tsx'))
const AccountLatest = lazyPart(() => together(import('./account-latest.tsx'), loadWords()))

/** Signed out: the promise and the markets. Signed in: the user's balances, next steps and latest changes. */
export function HomeScreen() {
  const { signedIn } = useAccount()
  return (
    <div className="flex flex-1 flex-col gap-6 px-4 pt-4 pb-6">
      <h1 className="sr-only">{m.nav_home()}</h1>
      {signedIn ? <AccountOverview fallback={<OverviewSkeleton />} /> : <Hero />}
      <MarketList />
      {signedIn ? (
        <AccountLatest />
      ) : (
        <>
          <OnDesktop />
          {/* A desktop shows it beside the column. */}
          <div className="desktop:hidden">
            <ProofSlot />
          </div>
        </>
      )}
    </div>
  )
}

/** Below the markets on a desktop, which has the promise and the proof beside the column. A phone does not load it. */
function OnDesktop() {
  const [place, isThere] = useInView<HTMLDivElement>()
  return (
    <div ref={place} className="hidden min-h-px desktop:block">
      {isThere && <Explore />}
    </div>
  )
}

import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { RefreshControl } from '@clearwell/ui/components/refresh-control.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { InactiveNote } from '../../account/inactive-note.tsx'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import { ChildList, WaitingRequests } from './child-list.tsx'
import { EarningKline } from './earning-kline.tsx'
import { Earnings } from './earnings.tsx'
import { FirstSteps } from './first-steps.tsx'
import { InProgress } from './in-progress.tsx'
import { MyRequests } from './my-requests.tsx'
import { Requirements } from './requirements.tsx'
import { type RichOverview, useChildren, useRichOverview } from './rich.queries.ts'
import { OVERVIEW } from './rich.samples.ts'
import { StarHero } from './star-hero.tsx'
import { nextStep } from './star-terms.ts'

const LinkSheet = lazySheet(() => import('./link-sheet.tsx'))
const RenameSheet = lazySheet(() => import('./rename-sheet.tsx'))
const RequestSheet = lazySheet(() => import('./request-sheet.tsx'))

type OpenSheet = 'link' | 'rename' | 'request' | undefined

/** The upgrade hub: the user's star, the RT that it earns, and the user's children. */
export default function RichScreen() {
  const { signedIn } = useAccount()
  const overview = useRichOverview()
  const requests = useChildren()
  // The hub appears with the note on waiting requests above it, which would push it down.
  const isKnown = requests.data !== undefined || requests.isError
  const [sheet, setSheet] = useState<OpenSheet>()
  const close = () => setSheet(undefined)
  const { data } = overview
  return (
    <Screen
      title={m.nav_upgrade_hub()}
      aside={signedIn && <RefreshControl query={overview} />}
      action={signedIn ? data && <NextStep overview={data} onOpen={setSheet} /> : <ConnectAction />}
    >
      {!signedIn ? (
        <>
          <FirstSteps />
          <Requirements star={0} />
          <Rules />
        </>
      ) : data && isKnown ? (
        <Hub overview={data} onRename={() => setSheet('rename')} />
      ) : overview.isError && !data ? (
        <ErrorState error={overview.error} onRetry={overview.refetch} />
      ) : (
        <Pending>
          <Hub overview={OVERVIEW} onRename={() => {}} isSample />
        </Pending>
      )}
      {sheet === 'link' && <LinkSheet onClose={close} />}
      {data?.name && sheet === 'rename' && <RenameSheet current={data.name} onClose={close} />}
      {data && sheet === 'request' && <RequestSheet overview={data} onClose={close} />}
    </Screen>
  )
}

function Hub({
  overview,
  onRename,
  isSample = false,
}: {
  overview: RichOverview
  onRename: () => void
  isSample?: boolean
}) {
  const isLinked = overview.uid !== null
  const requests = useRef<HTMLDivElement>(null)
  const showRequests = () => {
    requests.current?.scrollIntoView({ block: 'start' })
    requests.current?.focus({ preventScroll: true })
  }
  return (
    <div className="flex flex-col gap-6">
      <InactiveNote />
      {/* Real requests may be known before the hub: they would push its sample down. */}
      {!isSample && <WaitingRequests onShow={showRequests} />}
      {isLinked ? (
        <>
          <StarHero overview={overview} onRename={onRename} />
          <InProgress {...overview} />
          <Earnings overview={overview} />
          <EarningKline />
          <MyRequests />
        </>
      ) : (
        <FirstSteps />
      )}
      <Rules />
      <div ref={requests} tabIndex={-1} className="outline-none">
        <ChildList />
      </div>
    </div>
  )
}

function Rules() {
  return (
    <Link
      to="/{-$locale}/white"
      search={{ section: 'stars' }}
      className="inline-flex min-h-11 items-center text-accent"
    >
      {m.rich_rules()}
    </Link>
  )
}

/** The one main action: what brings the user to the next star. */
function NextStep({ overview, onOpen }: { overview: RichOverview; onOpen: (sheet: OpenSheet) => void }): ReactNode {
  switch (nextStep(overview)) {
    case 'link':
      return (
        <GatedButton needs="activation" onClick={() => onOpen('link')}>
          {m.rich_link()}
        </GatedButton>
      )
    case 'request':
      return (
        <GatedButton needs="activation" onClick={() => onOpen('request')}>
          {m.rich_request_star({ n: String(overview.next ?? overview.star) })}
        </GatedButton>
      )
    case 'deposit':
    case 'none':
      return (
        <Link to="/{-$locale}/rich/pledge" className={buttonClass()}>
          {overview.next === null || overview.step_down ? m.rich_see_deposit() : m.rich_deposit()}
        </Link>
      )
  }
}

function ConnectAction() {
  return <GatedButton needs="session">{m.nav_connect()}</GatedButton>
}

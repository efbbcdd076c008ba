import { useInView } from '@clearwell/ui/browser/in-view.ts'
import { BrandMark } from '@clearwell/ui/components/brand-mark.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { Ripples } from '@clearwell/ui/components/ripples.tsx'
import { Link } from '@tanstack/react-router'
import { ConnectButton } from '../../account/connect-button.tsx'
import { DEFAULT_MARKET, usePairs } from '../../features/market/use-pairs.ts'
import { m } from '../../generated/messages.ts'

const Invitation = lazyPart(() => import('../../features/session/invitation.tsx'))

/** The first view of a signed-out visitor: the promise, the only Connect of the screen, and a look around without a wallet. */
export function Hero() {
  const { data: pairs } = usePairs()
  return (
    <Card className="flex flex-col items-center gap-3 overflow-hidden pb-2 text-center">
      {/* A desktop has the promise beside the column. */}
      <div className="contents desktop:hidden">
        <Ripples className="-mt-3 -mb-2">
          <BrandMark className="size-16" />
        </Ripples>
        <h2 className="text-amount text-balance break-keep wrap-anywhere">{m.home_promise()}</h2>
        <p className="text-balance text-muted">{m.home_promise_text()}</p>
      </div>
      <InvitationSlot />
      <div className="mt-3 flex w-full flex-col gap-1">
        <ConnectButton />
        <Link
          to="/{-$locale}/markets/$name"
          params={(current) => ({ ...current, name: pairs?.[0]?.symbol ?? DEFAULT_MARKET })}
          className="flex min-h-11 items-center justify-center rounded-control font-semibold text-accent"
        >
          {m.home_explore()}
        </Link>
      </div>
    </Card>
  )
}

/** Only an invited visitor has its place, from the first paint on: boot/before-paint.ts sees the code. */
function InvitationSlot() {
  const [place, isThere] = useInView<HTMLDivElement>()
  return (
    <div ref={place} className="invitation">
      {isThere && <Invitation />}
    </div>
  )
}

import { useInView } from '@clearwell/ui/browser/in-view.ts'
import { useOnline } from '@clearwell/ui/browser/use-online.ts'
import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { ScreenPlace } from '@clearwell/ui/components/screen-place.tsx'
import { ToastHost } from '@clearwell/ui/components/toast-host.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AlertHost } from '../features/alert/alert-host.tsx'
import { RootsHost } from '../features/blind-box/roots-host.tsx'
import { ExitHost } from '../features/exit/exit-host.tsx'
import { BalanceHost } from '../features/proof/balance/balance-host.tsx'
import { FrozenHost } from '../features/session/frozen-host.tsx'
import { SessionHost } from '../features/session/session-host.tsx'
import { m } from '../generated/messages.ts'
import { useWallet } from '../wallet/wallet.ts'
import { Header } from './header.tsx'
import { LostCommandHost } from './lost-command-host.tsx'
import { TABS, tabOf } from './navigation.ts'
import { LoadFailure, OfflineBanner } from './network-banners.tsx'
import { NewsHost } from './news-host.tsx'
import { ProductTitle } from './product-title.tsx'
import { RouteProgress } from './route-progress.tsx'

const DesktopSides = lazyPart(() => import('./desktop-sides.tsx'))
const WrongNetworkBanner = lazyPart(() => import('./wrong-network-banner.tsx'))

/** The frame around every screen: one column with the header above and the tabs below. */
export function Frame({ children }: { children: ReactNode }) {
  const { wrongNetwork } = useWallet()
  const isOnline = useOnline()
  return (
    <div className="well column panel relative flex min-h-dvh flex-col">
      <SkipToContent />
      <ProductTitle />
      <Header />
      <RouteProgress />
      <OfflineBanner />
      <FrozenHost />
      <ExitHost />
      <BalanceHost />
      <LostCommandHost />
      {wrongNetwork ? <WrongNetworkBanner /> : isOnline && <NewsHost />}
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <ScreenPlace>{children}</ScreenPlace>
      </main>
      <BottomTabs />
      <SessionHost />
      <AlertHost />
      <RootsHost />
      <ToastHost />
      <LoadFailure />
      <Desktop />
    </div>
  )
}

/** The room beside the column. On a phone it is not there, so it is never in view, and its code is not loaded. */
function Desktop() {
  const [place, isThere] = useInView<HTMLDivElement>()
  return (
    <div ref={place} className="absolute bottom-0 hidden size-px desktop:block">
      {isThere && <DesktopSides />}
    </div>
  )
}

/** The first stop of the Tab key. A button: a link to a fragment would be a path to the router. */
function SkipToContent() {
  return (
    <button
      type="button"
      onClick={() => document.getElementById('content')?.focus()}
      className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:rounded-control focus:bg-surface focus:p-3"
    >
      {m.app_skip_to_content()}
    </button>
  )
}

/** The five main destinations, at thumb reach. The one that the screen belongs to is lit. */
function BottomTabs() {
  const { pathname } = useLocation()
  return (
    <nav
      aria-label={m.nav_main()}
      className="safe-bottom sticky bottom-edge z-20 grid grid-cols-5 border-t border-line bg-ground"
    >
      {TABS.map(({ to, icon, label }, index) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true }}
          aria-current={index === tabOf(pathname) ? 'page' : undefined}
          className="tab flex min-h-16 flex-col items-center justify-center gap-1 pt-2 text-center text-label text-muted hover:text-text"
        >
          <Icon name={icon} />
          {label()}
        </Link>
      ))}
    </nav>
  )
}

import { createRootRoute, Outlet, useLocation } from '@tanstack/react-router'
import { FatalErrorPage, NotFoundPage } from '../app/error-page.tsx'
import { Frame } from '../app/frame.tsx'
import { showLocale } from '../i18n/locale.ts'
import { localeOfPath } from '../i18n/locale-path.ts'

export const Route = createRootRoute({
  beforeLoad: ({ location }) => showLocale(localeOfPath(location.pathname)),
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: FatalErrorPage,
})

/** Drawn again whenever the language changes, and each screen with it: see `inItsLanguage`. */
function Root() {
  const locale = useLocation({ select: ({ pathname }) => localeOfPath(pathname) })
  // Also where nothing matched: the router runs no `beforeLoad` from one unknown path to the next.
  showLocale(locale)
  return (
    <Frame>
      <Outlet />
    </Frame>
  )
}

import { localeOfPath, pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import {
  type AnyRouter,
  createRouter,
  type RouteComponent,
  type RouterHistory,
  useLocation,
} from '@tanstack/react-router'
import { createElement } from 'react'
import { FatalErrorPage } from '../app/error-page.tsx'
import { provideLiveFigures } from '../content/live-figures.ts'
import { featureParts, featureSlots, loadFeatureFigures, loadFeatureWords } from '../features.ts'
import { provideParts } from '../manifest/parts.ts'
import { provideSlots } from '../manifest/slots.ts'
import { provideWords } from '../manifest/words.ts'
import { createHashHistory } from './hash-history.ts'
import { routeTree } from './route-tree.tsx'

/** The router of the app; by hash in the browser (specification §2). */
export function createAppRouter(history: RouterHistory = createHashHistory()) {
  provideParts(featureParts)
  provideSlots(featureSlots)
  provideWords(loadFeatureWords)
  provideLiveFigures(loadFeatureFigures)
  const router = createRouter({
    routeTree,
    history,
    // The prerendered home begins at its top; our policy rejects the script that the router would add to it.
    scrollRestoration: import.meta.env.SSR ? false : keepEarlyScroll(),
    defaultPreload: 'intent',
    // Of a screen, so that header and tabs stay.
    defaultErrorComponent: FatalErrorPage,
    // Rejects every address with a protocol, `javascript:` and other sites alike. `ExternalLink` leads out of the app.
    protocolAllowlist: [],
  })
  for (const { options } of Object.values(router.routesById))
    if (options.component) options.component = redrawnWithLocale(options.component)
  return router
}

/** Leaves the page where the visitor has scrolled it before the app mounted; later screens are restored as usual. */
function keepEarlyScroll(): () => boolean {
  let isFirst = true
  return () => {
    const isKept = isFirst && scrollY > 0
    isFirst = false
    return !isKept
  }
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }

  interface HistoryState {
    /** True where the control that was pressed is on the new screen too, which gives it the focus. */
    readonly setsFocus?: boolean
  }
}

/**
 * Moves the focus to the heading of each new screen, as a page load would. The same screen in another language keeps the
 * focus where it was, and so does a screen that sets it.
 */
export function focusAfterNavigation(router: AnyRouter): void {
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    if (
      toLocation.state.setsFocus ||
      !fromLocation ||
      pathInLocale(fromLocation.pathname, 'en') === pathInLocale(toLocation.pathname, 'en')
    )
      return
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  })
}

const redrawn = new WeakSet<RouteComponent>()

/**
 * A screen that renders again in another language and keeps its state, with the text that was typed into it. To the router
 * only a parameter changes, and that alone renders nothing.
 */
function redrawnWithLocale(screen: RouteComponent): RouteComponent {
  if (redrawn.has(screen)) return screen
  const component = () => {
    useLocation({ select: ({ pathname }) => localeOfPath(pathname) })
    return createElement(screen)
  }
  redrawn.add(component)
  // With the router's own properties, such as the preload of a lazy screen.
  return Object.assign(component, screen)
}

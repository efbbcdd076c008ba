import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { localeOfPath } from '@clearwell/ui/i18n/locale-path.ts'
import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  type ResolveFullPath,
  type ResolveId,
  useLocation,
} from '@tanstack/react-router'
import { FatalErrorPage } from '../app/error-page.tsx'
import { Frame } from '../app/frame.tsx'
import { HomeScreen } from '../app/home/home-screen.tsx'
import { type ScreenPath, screens } from '../app/screens.ts'
import { NotFoundPage } from '../components/not-found-page.tsx'
import { loadPayload } from '../content/payload.ts'
import type { Screen } from '../manifest/screens.ts'

const rootRoute = createRootRoute({
  beforeLoad: ({ location }) => showLocale(localeOfPath(location.pathname)),
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: FatalErrorPage,
})

/** Every screen is at the bare path and under `/en`; no other first segment is a language. */
const localeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '{-$locale}',
  params: {
    parse: (params): { locale?: 'en' } | false => {
      if (params.locale === undefined) return {}
      return params.locale === 'en' ? { locale: 'en' } : false
    },
  },
})

/** The route of a screen. `Routes` types its path and its query. */
function routeOf(path: string, { load, hasContent }: Screen) {
  return createRoute({
    getParentRoute: () => localeRoute,
    path: path.replace(/\{(\w+)\}/, '$$$1'),
    // Home is the first paint: its code comes with the entry, that of each other screen when its link is pointed at.
    component: load ? lazyRouteComponent(load) : HomeScreen,
    // Of a screen without content, the request would be a 404 in the console.
    ...(hasContent ? { loader: loadPayload(path) } : {}),
  })
}

/** A path as the router writes it: `/markets/$name` for `/markets/{name}`. */
type RouterPath<Path> = Path extends `${infer Start}{${infer Name}}${infer End}` ? `${Start}$${Name}${End}` : Path
type Parent = typeof localeRoute
/** As `createRoute` would infer it from a literal path and a reader of the query. */
type RouteOf<Path extends string, Search> = ReturnType<
  typeof createRoute<
    unknown,
    Parent,
    Path,
    ResolveFullPath<Parent, Path>,
    string,
    ResolveId<Parent, string, Path>,
    (search: Record<string, unknown>) => Search
  >
>
type SearchOf<Of> = Of extends { readonly search: infer Search } ? Search : object
type Routes = {
  readonly [Path in ScreenPath]: RouteOf<RouterPath<Path>, SearchOf<(typeof screens)[Path]>>
}

const routes = Object.fromEntries(
  Object.entries<Screen>(screens).map(([path, screen]) => [path, routeOf(path, screen)]),
) as unknown as Routes

export const routeTree = rootRoute.addChildren([localeRoute.addChildren(Object.values(routes))])

/** Renders again whenever the language changes, and each screen with it: see `redrawnWithLocale`. */
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

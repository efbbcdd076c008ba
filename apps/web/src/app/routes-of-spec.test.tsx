import { text } from 'node:stream/consumers'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { prerenderToNodeStream } from 'react-dom/static'
import { beforeEach, expect, test, vi } from 'vitest'
import { readPayloads } from '../../content/read-payloads.ts'
import { queryClient } from '../api/query-client.ts'
import { pathInLocale } from '../i18n/locale-path.ts'
import { createAppRouter } from './router.ts'
import { ROUTES_OF_SPEC, type SpecRoute } from './routes-of-spec.ts'

// Screens that follow what is kept in the browser listen to its window.
beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
})

test('the tree has the 37 routes of specification §2, no more and no less', () => {
  const { routesById } = createAppRouter(createMemoryHistory())
  const layouts = ['__root__', '/{-$locale}']
  const screens = Object.keys(routesById).filter((id) => !layouts.includes(id))
  expect(screens.map((id) => specRouteOf(id) ?? id).sort()).toEqual([...ROUTES_OF_SPEC].sort())
  expect(ROUTES_OF_SPEC).toHaveLength(37)
})

test('a route that is no screen of the specification is none', () => {
  for (const id of ['__root__', '/{-$locale}', '/{-$locale}/swap', '/{-$locale}/stake/lend/repay'])
    expect(id === '/{-$locale}' ? undefined : specRouteOf(id), id).toBeUndefined()
})

test.each(readPayloads().map(({ route, locale, title }) => ({ route, locale, title })))(
  '$route in $locale is a screen of its own under "$title"',
  async ({ route, locale, title }) => {
    const path = pathInLocale(route.replace('{name}', 'BNBUSDT'), locale)
    const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
    await router.load()
    expect(specRouteOf(router.state.matches.at(-1)?.routeId ?? '')).toBe(route)
    // Waits for what a screen loads lazily.
    const { prelude } = await prerenderToNodeStream(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
    const html = await text(prelude)
    const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/g)].map(([, text]) => text)
    expect(headings).toHaveLength(1)
    if (route === '/markets/{name}') expect(headings[0]).toContain('BNBUSDT')
    else expect(headings[0]).toBe(title)
  },
)

/** The screen of specification §2 that a route of the tree shows; `undefined` for a layout or what is not a screen. */
function specRouteOf(routeId: string): SpecRoute | undefined {
  const path = routeId
    .replace(/^\/\{-\$locale\}/, '')
    .replace(/\$(\w+)/g, '{$1}')
    .replace(/(?<=.)\/$/, '')
  return ROUTES_OF_SPEC.find((route) => route === path)
}

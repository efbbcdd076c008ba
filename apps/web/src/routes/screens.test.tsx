import { pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import { createMemoryHistory } from '@tanstack/react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readPayloads } from '../../content/read-payloads.ts'
import { queryClient } from '../api/query-client.ts'
import { screens } from '../app/screens.ts'
import { payloadPath } from '../content/payload-path.ts'
import { m } from '../generated/messages.ts'
import { renderScreen } from '../testing/render-screen.tsx'
import { pathsOfSpecification } from '../testing/specification.ts'
import { createAppRouter } from './router.ts'

test("the tree has a route for each screen, the specification's included", { tags: ['§2.39'] }, () => {
  const { routesById } = createAppRouter(createMemoryHistory())
  const layouts = ['__root__', '/{-$locale}']
  const inTree = Object.keys(routesById).filter((id) => !layouts.includes(id))
  expect(inTree.map(screenPathOf).sort()).toEqual(Object.keys(screens).sort())
  expect(pathsOfSpecification()).toHaveLength(37)
  expect(Object.keys(screens)).toEqual(expect.arrayContaining(pathsOfSpecification()))
})

test.each(Object.entries(screens).filter(([path]) => path !== '/markets/{name}'))(
  'the heading of %s is the title in its manifest',
  async (path, { title }) => {
    for (const locale of ['zh-HK', 'en'] as const) {
      const html = await renderScreen(pathInLocale(path, locale))
      const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/g)].map(([, text]) => text)
      expect(headings).toEqual([m[title]()])
    }
  },
)

test.each(readPayloads().map(({ route, locale, title }) => ({ route, locale, title })))(
  '$route in $locale is a separate screen under "$title"',
  async ({ route, locale, title }) => {
    const path = pathInLocale(route.replace('{name}', 'BNBUSDT'), locale)
    const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
    await router.load()
    expect(screenPathOf(router.state.matches.at(-1)?.routeId ?? '')).toBe(route)
    const html = await renderScreen(path)
    const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/g)].map(([, text]) => text)
    expect(headings).toEqual([route === '/markets/{name}' ? 'BNB/USDT' : title])
  },
)

test('every screen loads its payload before its link is clicked', { tags: ['§7.43'] }, async () => {
  vi.stubGlobal('window', new EventTarget())
  const requested: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    requested.push(path)
    return Response.json({})
  })
  onTestFinished(() => {
    queryClient.clear()
    vi.unstubAllGlobals()
  })
  const preload = async (path: string) => {
    const router = createAppRouter(createMemoryHistory({ initialEntries: ['/nowhere'] }))
    await router.load()
    requested.length = 0
    // A link preloads like this when it is hovered, focused or touched.
    await router.preloadRoute({ to: path } as never)
    return [...requested]
  }
  const payloads = readPayloads()
  for (const { route, locale } of payloads) {
    const path = pathInLocale(route.replace('{name}', 'BNBUSDT'), locale)
    expect(await preload(path)).toEqual([payloadPath(route, locale)])
  }
  const without = Object.keys(screens).filter((path) => !payloads.some(({ route }) => route === path))
  for (const path of without) expect(await preload(path), path).toEqual([])
})

/** `/{-$locale}/markets/$name` is the screen `/markets/{name}`. */
function screenPathOf(routeId: string): string {
  return routeId
    .replace(/^\/\{-\$locale\}/, '')
    .replace(/\$(\w+)/g, '{$1}')
    .replace(/(?<=.)\/$/, '')
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryHistory } from '@tanstack/react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readPayloads } from '../../content/read-payloads.ts'
import { queryClient } from '../api/query-client.ts'
import { OWN_SCREENS, payloadPath, type ScreenPath } from '../app/screens.ts'
import { pathInLocale } from '../i18n/locale-path.ts'
import { renderScreen } from '../testing/render-screen.tsx'
import { createAppRouter } from './router.ts'

test("the tree has the specification's screens and ours only", { tags: ['§2.39'] }, () => {
  const { routesById } = createAppRouter(createMemoryHistory())
  const layouts = ['__root__', '/{-$locale}']
  const inTree = Object.keys(routesById).filter((id) => !layouts.includes(id))
  const listed = [...pathsOfSpecification(), ...Object.keys(OWN_SCREENS)]
  expect(
    inTree.map(screenPathOf).sort(),
    'A screen of our own is a line in OWN_SCREENS (src/app/screens.ts) and in src/routes/route-tree.tsx',
  ).toEqual(listed.sort())
})

test('our own screens are not in the specification', () => {
  const both = Object.keys(OWN_SCREENS).filter((path) => pathsOfSpecification().includes(path))
  expect(both, 'Move these from OWN_SCREENS to SPEC_SCREENS in src/app/screens.ts').toEqual([])
})

test.each(readPayloads().map(({ route, locale, title }) => ({ route, locale, title })))(
  '$route in $locale is a separate screen under "$title"',
  async ({ route, locale, title }) => {
    const path = pathInLocale(route.replace('{name}', 'BNBUSDT'), locale)
    const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
    await router.load()
    expect(screenPathOf(router.state.matches.at(-1)?.routeId ?? '')).toBe(route)
    const html = await renderScreen(path)
    const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/g)].map(([, text]) => text)
    expect(headings).toHaveLength(1)
    if (route === '/markets/{name}') expect(headings[0]).toBe('BNB/USDT')
    else expect(headings[0]).toBe(title)
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
    expect(await preload(path)).toEqual([payloadPath(route as ScreenPath, locale)])
  }
  const without = Object.keys(OWN_SCREENS).filter((path) => !payloads.some(({ route }) => route === path))
  for (const path of without) expect(await preload(path), path).toEqual([])
})

/** `/{-$locale}/markets/$name` is the screen `/markets/{name}`. */
function screenPathOf(routeId: string): string {
  return routeId
    .replace(/^\/\{-\$locale\}/, '')
    .replace(/\$(\w+)/g, '{$1}')
    .replace(/(?<=.)\/$/, '')
}

/** The paths in the table of section 2. */
function pathsOfSpecification(): string[] {
  const file = join(import.meta.dirname, '../../../../docs/reference/specification.md')
  const section = /^## 2\..*?(?=^## 3\.)/ms.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
  const cells = [...section.matchAll(/^\| (\/[^|]*) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => cell.split(', '))
}

import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { ApiError, NoResponseError } from '../api/api-error.ts'
import { NotFoundPage } from '../components/not-found-page.tsx'
import { FatalErrorPage } from './error-page.tsx'
import { serverAwayStore } from './missing-chunk.ts'

afterEach(() => serverAwayStore.set(false))

/** Returns the texts that the page shows, in order. */
async function textsOf(page: () => React.ReactNode, path = '/en'): Promise<string[]> {
  showLocale('en')
  const router = createRouter({
    routeTree: createRootRoute({ component: page, notFoundComponent: page }),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
  await router.load()
  const html = renderToString(<RouterProvider router={router} />)
  return [...html.matchAll(/<(?:p|h1)[^>]*>(.*?)<\/(?:p|h1)>/g)].map(([, text = '']) => text.replaceAll('<!-- -->', ''))
}

test.each([
  ['a bug', new TypeError('x is not a function'), 'x is not a function'],
  ['an error without a message', new Error(''), 'Something went wrong'],
  ['a value that is no error', 'thrown', 'Something went wrong'],
  ['a refusal of the server', new ApiError(20010, 'Not today', null), 'Not today'],
])(
  'shows 500, its message and the description of %s',
  { tags: ['§2.41', '§2.43', '§2.44', '§8.16'] },
  async (_case, error, description) => {
    const texts = await textsOf(() => <FatalErrorPage error={error} />)
    expect(texts.slice(0, 3)).toEqual(['500', 'Internal Server Error', description])
  },
)

test.each([
  ['without a response', new NoResponseError('no answer from /x'), false],
  ['while the server is away', new TypeError('Failed to fetch'), true],
])('says that Clearwell cannot be reached %s', async (_case, error, isAway) => {
  serverAwayStore.set(isAway)
  expect(await textsOf(() => <FatalErrorPage error={error} />)).toEqual([
    'Can’t reach Clearwell',
    'This page opens when the connection is back. Anything you confirmed is unaffected.',
  ])
})

test('shows 404, its message and the path of an unmatched route', { tags: ['§2.40', '§2.42'] }, async () => {
  const texts = await textsOf(NotFoundPage, '/no/such')
  expect(texts).toEqual(['404', 'Page Not Found', 'Page not found: /no/such'])
})

import { text } from 'node:stream/consumers'
import type { PayloadInput, ResponseOf } from '@clearwell/api/routes'
import { QueryClientProvider, type QueryKey } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { prerenderToNodeStream } from 'react-dom/static'
import { onTestFinished, vi } from 'vitest'
import type { WholeConfig } from '../api/config.ts'
import { queryClient } from '../api/query-client.ts'
import { sessionStore, type User } from '../api/session-store.ts'
import type { ListItem, ListRouteName } from '../api/use-list-call.ts'
import type { CallName } from '../generated/calls.ts'
import { createAppRouter } from '../routes/router.ts'
import { REQUIRED_CHAIN } from '../wallet/testing/profile.ts'
import { walletStore } from '../wallet/wallet-store.ts'
import { testConfig } from './config.ts'
import { textOf } from './facts.ts'
import { withoutSamples } from './samples.ts'

/** A response that the client has already: what `useCall` and its kin find in the cache. */
interface KnownResponse {
  readonly queryKey: QueryKey
  readonly data: unknown
}

const ALICE = '0xaaaa000000000000000000000000000000000001'

const USER: User = {
  id: 'u1',
  address: ALICE,
  invite_code: 'AB12',
  activated: true,
  level: 0,
  star: 0,
  created_at: '2030-01-01T00:00:00.000Z',
  nickname: '',
  parent: null,
}

interface Known {
  readonly responses?: readonly KnownResponse[]
  readonly config?: Partial<WholeConfig>
  readonly user?: Partial<User>
}

/**
 * Renders the screen of a path to HTML, with the responses that are known and every lazy part loaded. Nothing is
 * requested; a call without a response is still loading, and its sample is left out. The test's end resets session, wallet
 * and cache.
 *
 * @param path as in the address; `/en/…` is English.
 * @param user signs a user in, with these properties changed.
 * @example const html = await renderScreen('/en/wallet', { user: {}, responses: [responseTo('balances', {}, [])] })
 */
export async function renderScreen(path: string, known: Known = {}): Promise<string> {
  return withoutSamples(await renderWithSamples(path, known))
}

/** The same with the samples in the place of what is loading. */
export async function renderWithSamples(
  path: string,
  { responses = [], config = {}, user }: Known = {},
): Promise<string> {
  onTestFinished(() => {
    queryClient.clear()
    sessionStore.set({ token: undefined, user: undefined })
    walletStore.set({ status: 'disconnected' })
  })
  // Screens that follow the browser's storage listen to its window.
  vi.stubGlobal('window', new EventTarget())
  if (user) signInAs(user)
  queryClient.setQueryData(['config', {}], testConfig(config))
  for (const { queryKey, data } of responses) queryClient.setQueryData(queryKey, data)
  const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  const { prelude } = await prerenderToNodeStream(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
    // A long screen in its place, and not below the page for a script to move.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  return (await text(prelude)).replaceAll('<!-- -->', '')
}

/** Signs Alice in with a connected wallet on the configured chain. */
function signInAs(change: Partial<User> = {}): void {
  const user = { ...USER, ...change }
  sessionStore.set({ token: 'token', user })
  walletStore.set({ status: 'connected', address: user.address as `0x${string}`, chainId: REQUIRED_CHAIN })
}

/** The response to a call of `useCall`. */
export function responseTo<Name extends CallName>(
  name: Name,
  payload: PayloadInput<Name>,
  data: ResponseOf<Name>,
): KnownResponse {
  return { queryKey: [name, payload], data }
}

/** The only page of a list of `useListCall`. */
export function pageOf<Name extends ListRouteName>(
  name: Name,
  payload: Omit<PayloadInput<Name>, 'cursor'>,
  items: readonly ListItem<Name>[],
  more: Partial<ResponseOf<Name>> = {},
): KnownResponse {
  const page = { items, next_cursor: null, ...more }
  return { queryKey: [name, payload, 'pages'], data: { pages: [page], pageParams: [null] } }
}

/** The words on the button of a screen's action. */
export function actionText(html: string): string {
  return textOf(/<button[^>]*>(.*?)<\/button>/s.exec(actionOf(html))?.[1] ?? '')
}

/** How the action of a screen looks: `main` where a press goes on, `idle` where it names what is missing. */
export function actionLook(html: string): 'main' | 'idle' | undefined {
  const action = actionOf(html)
  const [, look] =
    /<button[^>]* class="[^"]*(bg-accent font-semibold|border border-line bg-ground text-muted)/.exec(action) ?? []
  if (look === undefined) return undefined
  return look.startsWith('bg-accent') ? 'main' : 'idle'
}

function actionOf(html: string): string {
  return /class="screen-action.*$/s.exec(html)?.[0] ?? ''
}

import { MutationCache, QueryClient } from '@tanstack/react-query'
import { calls } from '../generated/calls.ts'
import { ApiError, NoResponseError, UnknownOutcomeError } from './api-error.ts'
import { call } from './client.ts'
import { saveUser, sessionStore } from './session-store.ts'

const RETRY_COUNT = 3
const RETRY_FIRST_DELAY_MS = 1_000
const RETRY_MAX_DELAY_MS = 30_000

/** A refusal is final; every other failure is retried three times, after 1, 2 and 4 s (specification §9). */
export function retry(failureCount: number, error: Error): boolean {
  if (error instanceof ApiError && !error.isTransient) return false
  if (error instanceof UnknownOutcomeError) return false
  return failureCount < RETRY_COUNT
}

function retryDelay(failureCount: number): number {
  return Math.min(RETRY_FIRST_DELAY_MS * 2 ** failureCount, RETRY_MAX_DELAY_MS)
}

/** Polled queries refetch immediately when the page is seen again, others only where they are stale. */
function refetchOnWindowFocus({ observers }: { observers: { options: { refetchInterval?: unknown } }[] }) {
  return observers.some(({ options }) => options.refetchInterval) ? 'always' : true
}

/** The cache of the browser with the last figures, which `kept-figures.ts` shows without the network. */
export const FIGURES_CACHE = 'clearwell-figures'

export const CONFIG_KEY = ['config', {}] as const

/** Shows a failed command to the user: `main.tsx` provides the dialog. */
let showFailure: (error: Error) => void = () => {}

export function provideFailureDialog(show: (error: Error) => void): void {
  showFailure = show
}

// Unused data is dropped after 5 minutes, the library's default in a browser. Setting it here would also start the timer
// in the build, which renders home in Node, and keep the build alive.
export const queryClient = new QueryClient({
  defaultOptions: {
    // `always`: what cannot be had offline shows its error and a way to try again, not a skeleton without end.
    queries: {
      retry,
      retryDelay,
      staleTime: 2_000,
      networkMode: 'always',
      refetchOnReconnect: true,
      refetchOnWindowFocus,
    },
    mutations: { retry, retryDelay, networkMode: 'always' },
  },
  // A code other than 1 shows its message in a dialog (specification §8) after an action of the user: a command here, a
  // read in `explicitRead`. An automatic or polled read shows its failure in the place of its data, since a dialog would
  // interrupt a user who did nothing.
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      // The configuration names the parts that do not work now, and the terms that may have changed.
      if (error instanceof ApiError && (error.codeName === 'not_ready' || error.codeName === 'conflict'))
        void queryClient.invalidateQueries({ queryKey: CONFIG_KEY })
      if (error instanceof ApiError || mutation.meta?.silent !== true) showFailure(error)
    },
  }),
})

keepErrors()

/**
 * A query that never had data keeps its error while it polls or is retried. The library would show it as loading again with
 * each attempt: in an outage, a placeholder most of the time, and "Try again" for moments.
 */
function keepErrors(): void {
  const errors = new WeakMap<object, Error>()
  queryClient.getQueryCache().subscribe((event) => {
    const { query } = event
    const error = query.state.error ?? undefined
    const before = errors.get(query)
    // A later visit loads again.
    if (!query.getObserversCount()) errors.delete(query)
    else if (event.type !== 'updated') return
    else if (error) errors.set(query, error)
    else if (before && event.action.type === 'fetch') query.setState({ status: 'error', error: before })
    else errors.delete(query)
  })
}

/**
 * Calls `show` when a read has no response and nothing to show. Only on a page that the worker opened: another one has no way
 * to load the code that shows kept figures.
 */
export function showFiguresWithoutResponse(show: () => Promise<void>): void {
  if (!globalThis.navigator?.serviceWorker?.controller) return
  let isShowing = false
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'failed' || event.query.state.data !== undefined) return
    if (isShowing || !(event.action.error instanceof NoResponseError)) return
    isShowing = true
    void show().finally(() => {
      isShowing = false
    })
  })
}

/** When the oldest figures on the screen came, in milliseconds; `undefined` where there are none. */
export function oldestShownMs(): number | undefined {
  const shown = queryClient.getQueryCache().findAll({ type: 'active' })
  const times = shown
    .filter(({ queryKey, state }) => state.data !== undefined && String(queryKey[0]) in calls)
    .map(({ state }) => state.dataUpdatedAt)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Asks for everything personal again: after any money call, since balances, orders and logs move together. */
export function refreshPersonalData(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => isPersonal(queryKey[0]) })
}

/** Nothing personal outlives its session, in memory or on the device. */
export function forgetPersonalDataOnSignOut(): void {
  let { token } = sessionStore.get()
  sessionStore.subscribe(() => {
    const before = token
    token = sessionStore.get().token
    if (before === undefined || before === token) return
    queryClient.removeQueries({ predicate: ({ queryKey }) => isPersonal(queryKey[0]) })
    if ('caches' in globalThis) void caches.delete(FIGURES_CACHE).catch(() => {})
  })
}

function isPersonal(name: unknown): boolean {
  if (typeof name !== 'string' || !(name in calls)) return false
  const { isOpen, saysMore } = calls[name as keyof typeof calls]
  return !isOpen || saysMore === true
}

let lastRefresh = 0

/**
 * Asks the server again who is signed in: at start, and after a change of the user such as an activation. Of several
 * requests the latest counts, since the response of an earlier one may come later.
 */
export async function refreshUser(): Promise<void> {
  const { token } = sessionStore.get()
  if (token === undefined) return
  const own = ++lastRefresh
  try {
    const user = await call('userinfo', {})
    if (own === lastRefresh && sessionStore.get().token === token) saveUser(user)
  } catch {
    // The stored user stays in use; a rejected token has signed out in `call`.
  }
}

/**
 * Shows the account as activated on every screen, as the server has just said, and reads the rest of the user and the
 * balance, which may have paid for it.
 */
export async function showActivation(): Promise<void> {
  const { user } = sessionStore.get()
  if (user) saveUser({ ...user, activated: true })
  await Promise.all([refreshUser(), refreshPersonalData()])
}

import { type DehydratedState, dehydrate, hydrate, type QueryClient } from '@tanstack/react-query'
import { ownBuildId } from '../browser/shell-worker.ts'
import { calls } from '../generated/calls.ts'
import { FIGURES_CACHE, queryClient } from './query-client.ts'
import { sessionStore } from './session-store.ts'

/** The name of the record in its cache. No file has this address. */
const RECORD = '/kept-figures'
/** More than all screens read. The oldest go. */
const MOST_QUERIES = 200
/** In characters: a long list is not kept, for its first page says too little of it. */
const MOST_TEXT = 60_000

type Queries = DehydratedState['queries']

/** The last responses of reads, of one user and one build: another build may expect other fields. */
interface Figures {
  readonly owner: string
  readonly build: string
  readonly queries: Queries
}

/** Keeps the responses that the app has now, with their times, and those of earlier screens. */
export async function keepFigures(client: QueryClient = queryClient): Promise<void> {
  const { owner, build, token } = present()
  const { queries } = dehydrate(client, { shouldDehydrateMutation: () => false, shouldDehydrateQuery: isKept })
  const byHash = new Map((await read(owner, build)).map((query) => [query.queryHash, query]))
  for (const query of queries) byHash.set(query.queryHash, query)
  const latest = [...byHash.values()]
    .filter((query) => JSON.stringify(query.state.data).length <= MOST_TEXT)
    .toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    .slice(0, MOST_QUERIES)
  const cache = await caches.open(FIGURES_CACHE)
  await cache.put(RECORD, Response.json({ owner, build, queries: latest } satisfies Figures))
  // The user signed out meanwhile, which deletes what is kept.
  if (sessionStore.get().token !== token) await caches.delete(FIGURES_CACHE)
}

/** Shows the kept responses where the app has no newer ones. Each keeps the time at which it came. */
export async function showKeptFigures(client: QueryClient = queryClient): Promise<void> {
  const { owner, build, token } = present()
  const queries = await read(owner, build)
  if (sessionStore.get().token === token) hydrate(client, { mutations: [], queries })
}

function present(): { owner: string; build: string; token: string | undefined } {
  const { token, user } = sessionStore.get()
  return { owner: token === undefined ? '' : (user?.address.toLowerCase() ?? ''), build: ownBuildId() ?? '', token }
}

async function read(owner: string, build: string): Promise<Queries> {
  const response = await caches.match(RECORD, { cacheName: FIGURES_CACHE })
  const figures = (await response?.json().catch(() => undefined)) as Figures | undefined
  return figures?.owner === owner && figures.build === build ? figures.queries : []
}

/** A response of a read, as it came: other data may not survive as JSON. */
function isKept({
  queryKey,
  state,
}: {
  queryKey: readonly unknown[]
  state: { status: string; data?: unknown }
}): boolean {
  const [name] = queryKey
  return state.data !== undefined && typeof name === 'string' && Object.hasOwn(calls, name)
}

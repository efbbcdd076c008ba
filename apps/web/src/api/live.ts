import type { Query } from '@tanstack/react-query'
import { transport } from './client.ts'
import type { ServerEvent } from './event-parser.ts'
import { queryClient, refreshPersonalData, refreshUser } from './query-client.ts'
import { sessionStore } from './session-store.ts'
import { createStreamClient } from './stream-client.ts'
import { askOnlyForChanges } from './unchanged-answers.ts'
import { PAIRS_POLL_MS, QUOTE_AFTER_PAIRS_MS, TICKER_POLL_MS } from './use-call.ts'

const STREAM = '/api/stream'
const DEFAULT_SYMBOL = 'BNBUSDT'
/** Screens come and go: the channels are settled once they have. */
const SETTLE_MS = 100
/** A page that nobody sees keeps its stream for this long. */
const HIDDEN_MS = 60_000
/** Pairs are shown at most this often: the quotes wait half a second for them to stand still. */
const PAIRS_GAP_MS = 2 * QUOTE_AFTER_PAIRS_MS
/** Of all that becomes of my money at once, I am told once. */
const PERSONAL_GAP_MS = 1_000
const LOOK_MS = 250
/** What the stream vouches for is current, and marked so before its poll falls due: so it is not polled. */
const VOUCH_BEFORE_MS = 500

interface Channel {
  newest: unknown
  /** Whether `newest` has not been shown yet. */
  isNew: boolean
  shownMs: number
}

let isStarted = false

/**
 * Listens to the server instead of asking it: what the screens in sight poll comes by the stream into the same place of
 * the cache, and everything of mine is asked for again when the ledger has something of mine. While the stream is
 * healthy the polls do not fall due; when it is not they go on at once, as the specification has them.
 */
export function startLive(): void {
  if (isStarted) return
  isStarted = true
  askOnlyForChanges(transport)

  /** What the stream vouches for now. */
  const channels = new Map<string, Channel>()
  let settling: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined
  let personal: ReturnType<typeof setTimeout> | undefined
  let personalMs = Number.NEGATIVE_INFINITY

  const client = createStreamClient({
    connect: (query, init) => fetch(STREAM + query, init),
    random: Math.random,
    onEvent,
    onState(state) {
      if (state === 'lost') for (const name of [...channels.keys()]) drop(name)
      else if (state === 'changing') channels.clear()
    },
    // What came since it was asked for, and is not told again.
    onBegin: (isResumed) => (isResumed ? refreshAlerts() : void refreshPersonalData()),
  })

  function onEvent({ event, data }: ServerEvent): void {
    const value: unknown = JSON.parse(data)
    if (event === 'entry' || event === 'reset') refreshSoon()
    else if (event === 'alert') refreshAlerts()
    // Asked of the server by the ordinary way, which signs out where it agrees.
    else if (event === 'signed_out') void refreshUser()
    else if (event === 'unavailable') drop((value as { channel: string }).channel)
    else if (event === 'pairs' || event.startsWith('ticker:')) {
      const shownMs = channels.get(event)?.shownMs ?? Number.NEGATIVE_INFINITY
      const channel = { newest: value, isNew: true, shownMs }
      channels.set(event, channel)
      if (Date.now() - shownMs >= gapMsOf(event)) show(event, channel)
    }
  }

  function show(name: string, channel: Channel): void {
    channel.isNew = false
    channel.shownMs = Date.now()
    for (const query of queriesOf(name)) queryClient.setQueryData(query.queryKey, channel.newest)
  }

  /** It is not vouched for any more: whoever shows it asks now, and goes on polling. */
  function drop(name: string): void {
    if (!channels.delete(name)) return
    for (const { queryKey } of queriesOf(name))
      void queryClient.refetchQueries({ queryKey, exact: true, type: 'active' })
  }

  /** One that was delivered is among the notices, and waits no more. */
  function refreshAlerts(): void {
    for (const name of ['alertNotices', 'alerts']) void queryClient.invalidateQueries({ queryKey: [name] })
  }

  function refreshSoon(): void {
    if (personal !== undefined) return
    const refresh = () => {
      personal = undefined
      personalMs = Date.now()
      void refreshPersonalData()
    }
    personal = setTimeout(refresh, Math.max(0, personalMs + PERSONAL_GAP_MS - Date.now()))
  }

  function settle(): void {
    clearTimeout(settling)
    settling = setTimeout(() => {
      const { token } = sessionStore.get()
      const names = new Set(queryClient.getQueryCache().getAll().filter(isPolled).map(nameOf))
      for (const name of channels.keys()) if (!names.has(name)) channels.delete(name)
      client.want({ channels: [...names, ...(token ? ['account'] : [])].map(String).toSorted(), token })
    }, SETTLE_MS)
  }

  queryClient.getQueryCache().subscribe(({ type, query }) => {
    // The first answer is asked for: it says that there is such a thing to listen to.
    if (nameOf(query) && (type.startsWith('observer') || type === 'updated')) settle()
  })
  sessionStore.subscribe(settle)
  setInterval(() => {
    for (const [name, channel] of channels) {
      const ageMs = Date.now() - channel.shownMs
      if (channel.isNew ? ageMs >= gapMsOf(name) : ageMs >= pollMsOf(name) - VOUCH_BEFORE_MS) show(name, channel)
    }
  }, LOOK_MS)
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding)
    if (document.visibilityState === 'visible') client.resume()
    else hiding = setTimeout(client.pause, HIDDEN_MS)
  })
  addEventListener('online', client.resume)
  addEventListener('offline', client.pause)
  settle()
}

/** The channel of what a query shows; nothing for what is not streamed. */
function nameOf({ queryKey: [name, payload] }: Pick<Query, 'queryKey'>): string | undefined {
  if (name === 'pairs') return 'pairs'
  if (name === 'spotTicker') return `ticker:${(payload as { symbol?: string }).symbol ?? DEFAULT_SYMBOL}`
  return undefined
}

/** Whether a screen in sight polls it and it has an answer: what the server does not know is no channel of it. */
function isPolled(query: Query): boolean {
  return (
    nameOf(query) !== undefined &&
    query.state.data !== undefined &&
    query.observers.some(({ options }) => options.refetchInterval)
  )
}

function queriesOf(name: string): Query[] {
  return queryClient
    .getQueryCache()
    .getAll()
    .filter((query) => nameOf(query) === name)
}

function gapMsOf(name: string): number {
  return name === 'pairs' ? PAIRS_GAP_MS : 0
}

function pollMsOf(name: string): number {
  return name === 'pairs' ? PAIRS_POLL_MS : TICKER_POLL_MS
}

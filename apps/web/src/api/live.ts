import { API_BASE } from './api-base.ts'
import { transport } from './client.ts'
import type { ServerEvent } from './event-parser.ts'
import { channelOf, createLiveChannels, polledChannels } from './live-channels.ts'
import { queryClient, refreshPersonalData, refreshUser } from './query-client.ts'
import { sessionStore } from './session-store.ts'
import { createStreamClient, type StreamClient } from './stream-client.ts'
import { askOnlyForChanges } from './unchanged-responses.ts'

const STREAM = `${API_BASE}/stream`
/** Waits this long for a change of screens to finish before it changes the channels. */
const SETTLE_MS = 100
/** Keeps the stream of a hidden page this long. */
const HIDDEN_MS = 60_000
/** Refreshes personal data at most this often, since one action changes many things. */
const PERSONAL_GAP_MS = 1_000
/** How often it looks for data to show or to mark as current. */
const LOOK_MS = 250

let isStarted = false

/**
 * Replaces polling by the server's stream: data that visible screens poll arrives under the same cache key, and
 * personal data is refreshed when the ledger has a new entry of the user. While the stream is healthy no poll is due;
 * when it fails, polling continues immediately (specification §9).
 */
export function startLive(): void {
  if (isStarted) return
  isStarted = true
  askOnlyForChanges(transport)
  const channels = createLiveChannels()
  const refreshSoon = atMostEvery(PERSONAL_GAP_MS, () => void refreshPersonalData())
  const client = createStreamClient({
    connect: (query, init) => fetch(STREAM + query, init),
    random: Math.random,
    onEvent,
    onState(state) {
      if (state === 'lost') channels.dropAll()
      else if (state === 'changing') channels.keepOnly(new Set())
    },
    // Changes since the last response, which the stream does not repeat.
    onBegin: (isResumed) => (isResumed ? refreshNotices() : void refreshPersonalData()),
  })

  function onEvent({ event, data }: ServerEvent): void {
    const value: unknown = JSON.parse(data)
    if (event === 'entry' || event === 'reset') refreshSoon()
    else if (event === 'notice') {
      refreshNotices()
      // The operator has frozen the account, or ended the freeze.
      if ((value as { kind: string }).kind.startsWith('account_')) void refreshUser()
    }
    // An ordinary call signs out if the server confirms it.
    else if (event === 'signed_out') void refreshUser()
    else if (event === 'unavailable') channels.drop((value as { channel: string }).channel)
    else if (event === 'pairs' || event === 'roots' || event.startsWith('ticker:')) channels.take(event, value)
  }

  let settling: ReturnType<typeof setTimeout> | undefined
  function settle(): void {
    clearTimeout(settling)
    settling = setTimeout(() => {
      const { token } = sessionStore.get()
      const polled = polledChannels()
      channels.keepOnly(polled)
      client.want({ channels: [...polled, ...(token ? ['account'] : [])].toSorted(), token })
    }, SETTLE_MS)
  }

  queryClient.getQueryCache().subscribe(({ type, query }) => {
    // Also the first response: only then is the query known to have a channel.
    if (channelOf(query) && (type.startsWith('observer') || type === 'updated')) settle()
  })
  sessionStore.subscribe(settle)
  setInterval(channels.refresh, LOOK_MS)
  pauseWhileUnseen(client)
  settle()
}

/** A notice may be of an alert, which then waits no longer. */
function refreshNotices(): void {
  for (const name of ['notices', 'alerts']) void queryClient.invalidateQueries({ queryKey: [name] })
}

/** Runs `work` soon, once for several calls. */
function atMostEvery(gapMs: number, work: () => void): () => void {
  let isWaiting = false
  let lastMs = Number.NEGATIVE_INFINITY
  const run = () => {
    isWaiting = false
    lastMs = Date.now()
    work()
  }
  return () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(run, Math.max(0, lastMs + gapMs - Date.now()))
  }
}

/** Pauses a minute after the page is hidden and while the device is offline. */
function pauseWhileUnseen({ pause, resume }: StreamClient): void {
  let hiding: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding)
    if (document.visibilityState === 'visible') resume()
    else hiding = setTimeout(pause, HIDDEN_MS)
  })
  addEventListener('online', resume)
  addEventListener('offline', pause)
}

import type { Query } from '@tanstack/react-query'
import { PAIRS_POLL_MS, QUOTE_AFTER_PAIRS_MS, ROOTS_POLL_MS, TICKER_POLL_MS } from './polling.ts'
import { queryClient } from './query-client.ts'

const DEFAULT_SYMBOL = 'BNBUSDT'
/** Pairs are shown at most this often: the quotes are requested once pairs are unchanged for half a second. */
const PAIRS_GAP_MS = 2 * QUOTE_AFTER_PAIRS_MS
/** Marks streamed data as current this long before its poll is due, so that it is not polled. */
const MARK_BEFORE_MS = 500

interface Channel {
  newest: unknown
  /** `newest` has not been shown yet. */
  isNew: boolean
  shownMs: number
}

/** The data that the stream keeps current: it goes where the polled response of the same call would go. */
export function createLiveChannels() {
  const channels = new Map<string, Channel>()

  function show(name: string, channel: Channel): void {
    channel.isNew = false
    channel.shownMs = Date.now()
    for (const query of queriesOf(name)) queryClient.setQueryData(query.queryKey, channel.newest)
  }

  /** The stream no longer keeps it current: screens that show it request it now and poll again. */
  function drop(name: string): void {
    if (!channels.delete(name)) return
    for (const { queryKey } of queriesOf(name))
      void queryClient.refetchQueries({ queryKey, exact: true, type: 'active' })
  }

  return {
    take(name: string, newest: unknown): void {
      const shownMs = channels.get(name)?.shownMs ?? Number.NEGATIVE_INFINITY
      const channel = { newest, isNew: true, shownMs }
      channels.set(name, channel)
      if (Date.now() - shownMs >= gapMsOf(name)) show(name, channel)
    },
    drop,
    dropAll(): void {
      for (const name of [...channels.keys()]) drop(name)
    },
    /** Forgets all channels but these; no screen shows the others. */
    keepOnly(names: ReadonlySet<string>): void {
      for (const name of channels.keys()) if (!names.has(name)) channels.delete(name)
    },
    /** Shows newer data after its gap, and marks unchanged data as current before its poll is due. */
    refresh(): void {
      for (const [name, channel] of channels) {
        const ageMs = Date.now() - channel.shownMs
        if (channel.isNew ? ageMs >= gapMsOf(name) : ageMs >= pollMsOf(name) - MARK_BEFORE_MS) show(name, channel)
      }
    },
  }
}

/** The channel with the data of a query; `undefined` for data that is not streamed. */
export function channelOf({ queryKey: [name, payload] }: Pick<Query, 'queryKey'>): string | undefined {
  if (name === 'pairs') return 'pairs'
  if (name === 'boxRoots') return 'roots'
  if (name === 'spotTicker') return `ticker:${(payload as { symbol?: string }).symbol ?? DEFAULT_SYMBOL}`
  return undefined
}

/** The channels of the queries that a screen polls now. A query without a response may name an unknown symbol. */
export function polledChannels(): Set<string> {
  const polled = queryClient.getQueryCache().getAll().filter(isPolled)
  return new Set(polled.map(channelOf).filter((name) => name !== undefined))
}

function isPolled({ state, observers }: Query): boolean {
  return state.data !== undefined && observers.some(({ options }) => options.refetchInterval)
}

function queriesOf(name: string): Query[] {
  return queryClient
    .getQueryCache()
    .getAll()
    .filter((query) => channelOf(query) === name)
}

function gapMsOf(name: string): number {
  return name === 'pairs' ? PAIRS_GAP_MS : 0
}

function pollMsOf(name: string): number {
  if (name === 'roots') return ROOTS_POLL_MS
  return name === 'pairs' ? PAIRS_POLL_MS : TICKER_POLL_MS
}

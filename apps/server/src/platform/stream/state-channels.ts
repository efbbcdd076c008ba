import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Answer } from '@clearwell/api/routes'
import type { PublicChannel } from '@clearwell/api/stream'
import { Refusal } from '@clearwell/ledger/refusal'
import type { PreparedAnswer } from '../http/prepared-answer.ts'
import { invalidField } from '../ledger/refuse.ts'
import { eventFrame } from './frame.ts'
import type { Listener } from './listener.ts'
import type { PublicAnswers } from './public-answers.ts'
import type { StreamTimes } from './stream-times.ts'

/** A value whose time alone went on is told this seldom: that its source still says so, and how old it is. */
const FRESHEN_MS = 5_000
/** How many are written to before requests get a turn. */
const WRITES_PER_TURN = 256

interface Open {
  readonly listeners: Set<Listener>
  /** What its listeners are to have. */
  frame: Buffer
  /** What must differ for the value to count as another; `undefined` where there is none. */
  value: string | undefined
  /** All of it, with its times. */
  json: string | undefined
  sentMs: number
  failingSinceMs: number | undefined
}

/** What a channel has to tell; `undefined` where the call would be refused now. */
export type FirstValues = ReadonlyMap<PublicChannel, PreparedAnswer | undefined>

/** Those who listen to the same channels, and so get the same bytes. */
interface Group {
  readonly channels: readonly PublicChannel[]
  readonly listeners: Set<Listener>
}

export interface StateChannels {
  /** @throws Refusal for a channel that does not exist. */
  look(channels: readonly PublicChannel[]): Promise<FirstValues>
  /** Tells the newest values, and from then on each change. */
  join(listener: Listener, values: FirstValues): void
  leave(listener: Listener): void
  newest(channel: PublicChannel): Buffer | undefined
  stop(): void
}

/**
 * Channels of a state. Each is looked at once per tick while someone listens, and a change becomes one frame that is
 * written as it is to all who listen. A channel that has no value to tell says so: then its listeners ask by themselves.
 */
export function createStateChannels(deps: {
  answers: PublicAnswers
  times: Pick<StreamTimes, 'tickMs' | 'failingMs'>
  onError: (error: unknown, doing: string) => void
}): StateChannels {
  const {
    answers,
    times: { tickMs, failingMs },
    onError,
  } = deps
  const open = new Map<PublicChannel, Open>()
  const groups = new Map<string, Group>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const answerOf = (channel: PublicChannel) =>
    channel === 'pairs' ? answers.pairs() : answers.ticker(channel.slice('ticker:'.length))

  /** @returns a frame where there is something else to tell than before. */
  async function look(channel: PublicChannel, state: Open): Promise<Buffer | undefined> {
    const nowMs = performance.now()
    try {
      const answer = await answerOf(channel)
      state.failingSinceMs = undefined
      if (answer.json === state.json) return undefined
      const value = comparable(channel, answer)
      if (value === state.value && nowMs - state.sentMs < FRESHEN_MS) return undefined
      Object.assign(state, { frame: eventFrame(channel, answer.json), value, json: answer.json, sentMs: nowMs })
      return state.frame
    } catch (error) {
      if (!(error instanceof Refusal)) {
        if (state.failingSinceMs === undefined) onError(error, `stream of ${channel}`)
        state.failingSinceMs ??= nowMs
        if (nowMs - state.failingSinceMs < failingMs) return undefined
      }
      if (state.value === undefined) return undefined
      Object.assign(state, { frame: unavailable(channel), value: undefined, json: undefined })
      return state.frame
    }
  }

  async function tick(): Promise<void> {
    const frames = new Map<PublicChannel, Buffer>()
    await Promise.all(
      [...open].map(async ([channel, state]) => {
        const frame = await look(channel, state)
        if (frame) frames.set(channel, frame)
      }),
    )
    let written = 0
    for (const { channels, listeners } of groups.values()) {
      const changed = channels.filter((channel) => frames.has(channel))
      if (changed.length === 0) continue
      // One write for each who listens, however many of their channels changed.
      const joined = changed.length === 1 ? undefined : Buffer.concat(changed.map((each) => frames.get(each) as Buffer))
      const frame = joined ?? (frames.get(changed[0] as PublicChannel) as Buffer)
      for (const listener of listeners) {
        listener.sendState(frame, changed)
        if (++written % WRITES_PER_TURN === 0) await nextTurn()
      }
    }
  }

  function run(): void {
    if (timer !== undefined || isStopped) return
    timer = setTimeout(() => {
      void tick()
        .catch((error) => onError(error, 'stream'))
        .finally(() => {
          timer = undefined
          if (open.size > 0) run()
        })
    }, tickMs)
  }

  function stateOf(channel: PublicChannel, answer: PreparedAnswer | undefined): Open {
    const state = open.get(channel) ?? {
      listeners: new Set(),
      frame: answer ? eventFrame(channel, answer.json) : unavailable(channel),
      value: answer && comparable(channel, answer),
      json: answer?.json,
      sentMs: performance.now(),
      failingSinceMs: undefined,
    }
    open.set(channel, state)
    return state
  }

  function leave(listener: Listener): void {
    for (const channel of listener.channels) {
      const state = open.get(channel)
      state?.listeners.delete(listener)
      if (state?.listeners.size === 0) open.delete(channel)
    }
    const key = listener.channels.join()
    const group = groups.get(key)
    group?.listeners.delete(listener)
    if (group?.listeners.size === 0) groups.delete(key)
  }

  return {
    async look(channels) {
      const values = new Map<PublicChannel, PreparedAnswer | undefined>()
      for (const channel of channels) values.set(channel, await answerOf(channel).catch(noValue(channel)))
      return values
    },
    join(listener, values) {
      if (listener.channels.length === 0) return
      const key = listener.channels.join()
      const group = groups.get(key) ?? { channels: listener.channels, listeners: new Set() }
      groups.set(key, group)
      group.listeners.add(listener)
      for (const channel of listener.channels) {
        const state = stateOf(channel, values.get(channel))
        state.listeners.add(listener)
        listener.sendState(state.frame, [channel])
      }
      run()
    },
    leave,
    newest: (channel) => open.get(channel)?.frame,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** What cannot be told now says so later; what does not exist is refused. */
function noValue(channel: PublicChannel) {
  return (error: unknown): undefined => {
    if (!(error instanceof Refusal)) throw error
    if (error.refusal === 'not_found') throw invalidField('channels', `no channel: ${channel}`)
  }
}

function unavailable(channel: PublicChannel): Buffer {
  return eventFrame('unavailable', JSON.stringify({ channel }))
}

/** A ticker's times go on with each look at its source; pairs have none. */
function comparable(channel: PublicChannel, { json }: PreparedAnswer): string {
  if (channel === 'pairs') return json
  const { time: _time, sources: _sources, ...value } = JSON.parse(json) as Answer<'spotTicker'>
  return JSON.stringify(value)
}

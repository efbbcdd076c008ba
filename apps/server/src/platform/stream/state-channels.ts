import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PublicChannel } from '@clearwell/api/stream'
import type { PreparedResponse } from '../http/prepared-response.ts'
import type { Report } from '../log/report.ts'
import { repeat } from '../time/repeat.ts'
import { type ChannelSource, findSource, firstValue, OpenChannel } from './channel.ts'
import type { Listener } from './listener.ts'

/** After so many writes, requests get a turn. */
const WRITES_PER_TURN = 256

export interface ChannelTimes {
  /** A change is sent within this time, and not more often. */
  readonly tickMs: number
  /** How long a bug or the database may keep a channel's value away before its listeners hear of it. */
  readonly failingMs: number
}

/** The first value of each channel; `undefined` while there is none. */
export type FirstValues = ReadonlyMap<PublicChannel, PreparedResponse | undefined>

export interface StateChannels {
  /** @throws Refusal for a channel that does not exist. */
  read(channels: readonly PublicChannel[]): Promise<FirstValues>
  /** Sends the newest values, and each change from then on. */
  join(listener: Listener, values: FirstValues): void
  leave(listener: Listener): void
  newest(channel: PublicChannel): Buffer | undefined
  stop(): void
}

/**
 * Channels of a state. Each is read once per tick while someone listens, and a change becomes one frame that all its
 * listeners share. A channel without a value sends `unavailable`; its listeners then poll.
 */
export function createStateChannels({
  sources,
  times: { tickMs, failingMs },
  onError,
}: {
  sources: readonly ChannelSource[]
  times: ChannelTimes
  onError: Report
}): StateChannels {
  const open = new Map<PublicChannel, OpenChannel>()
  const groups = new ListenerGroups()

  async function run(): Promise<void> {
    const frames = new Map<PublicChannel, Buffer>()
    await Promise.all(
      [...open].map(async ([name, channel]) => {
        const frame = await channel.read()
        if (frame) frames.set(name, frame)
      }),
    )
    await groups.send(frames)
  }
  const timer = repeat({ run, everyMs: tickMs, onError: (error) => onError(error, 'stream') })

  function opened(name: PublicChannel, first: PreparedResponse | undefined): OpenChannel {
    const channel =
      open.get(name) ?? new OpenChannel({ name, source: findSource(sources, name), first, failingMs, onError })
    open.set(name, channel)
    return channel
  }

  return {
    async read(channels) {
      const values = new Map<PublicChannel, PreparedResponse | undefined>()
      for (const channel of channels) values.set(channel, await firstValue(findSource(sources, channel), channel))
      return values
    },
    join(listener, values) {
      if (listener.channels.length === 0) return
      groups.join(listener)
      for (const name of listener.channels) {
        const channel = opened(name, values.get(name))
        channel.listeners.add(listener)
        listener.sendState(channel.frame, [name])
      }
      timer.start()
    },
    leave(listener) {
      groups.leave(listener)
      for (const name of listener.channels) {
        const channel = open.get(name)
        channel?.listeners.delete(listener)
        if (channel?.listeners.size === 0) open.delete(name)
      }
    },
    newest: (channel) => open.get(channel)?.frame,
    stop: () => void timer.stop(),
  }
}

/** Listeners by their set of channels: those with the same set get the same bytes, in one write each. */
class ListenerGroups {
  readonly #groups = new Map<
    string,
    { readonly channels: readonly PublicChannel[]; readonly listeners: Set<Listener> }
  >()

  join(listener: Listener): void {
    const key = listener.channels.join()
    const group = this.#groups.get(key) ?? { channels: listener.channels, listeners: new Set() }
    this.#groups.set(key, group)
    group.listeners.add(listener)
  }

  leave(listener: Listener): void {
    const key = listener.channels.join()
    const group = this.#groups.get(key)
    group?.listeners.delete(listener)
    if (group?.listeners.size === 0) this.#groups.delete(key)
  }

  async send(frames: ReadonlyMap<PublicChannel, Buffer>): Promise<void> {
    let written = 0
    for (const { channels, listeners } of this.#groups.values()) {
      const changed = channels.filter((channel) => frames.has(channel))
      const [only, ...others] = changed.map((channel) => frames.get(channel) as Buffer)
      if (!only) continue
      const frame = others.length === 0 ? only : Buffer.concat([only, ...others])
      for (const listener of listeners) {
        listener.sendState(frame, changed)
        if (++written % WRITES_PER_TURN === 0) await nextTurn()
      }
    }
  }
}

import type { PublicChannel } from '@clearwell/api/stream'
import { Refusal } from '@clearwell/ledger/refusal'
import type { PreparedResponse } from '../http/prepared-response.ts'
import { invalidField } from '../ledger/refuse.ts'
import type { Report } from '../log/report.ts'
import { defineListPort } from '../port.ts'
import { eventFrame } from './frame.ts'
import type { Listener } from './listener.ts'

/** Milliseconds between resends of a value whose times alone changed. They prove that the source is alive. */
const REFRESH_MS = 5_000

/** A feature's contribution to the stream: a public state whose newest value alone counts. */
export interface ChannelSource<Data = unknown> {
  /** The channel's name. A name that ends with a colon, like `ticker:`, means one channel per parameter. */
  readonly name: string
  /**
   * The current value, also served by the feature's polled call. Called once per tick while someone listens.
   *
   * @param parameter the part of the channel's name after the colon.
   * @throws Refusal `not_found` where there is no such channel, any other while there is no value.
   */
  read(parameter: string): Promise<PreparedResponse<Data>>
  /** Returns whether two values differ only in times. Without it, every difference counts. */
  isSameValue?(before: Data, after: Data): boolean
}

/** The public channels of the stream. */
export const channels = defineListPort<ChannelSource>('stream channels', ({ name }) => name)

/** @throws Refusal `invalid_input` for a channel that no feature provides. */
export function findSource(sources: readonly ChannelSource[], channel: PublicChannel): ChannelSource {
  const source = sources.find(({ name }) => (name.endsWith(':') ? channel.startsWith(name) : channel === name))
  if (!source) throw unknownChannel(channel)
  return source
}

/** The value that a new listener gets first; `undefined` while there is none. @throws Refusal for an unknown channel. */
export async function firstValue(source: ChannelSource, channel: PublicChannel): Promise<PreparedResponse | undefined> {
  try {
    return await source.read(parameterOf(source, channel))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.refusal === 'not_found') throw unknownChannel(channel)
    return undefined
  }
}

/** A channel with listeners: reads its value and decides when there is something new to send. */
export class OpenChannel {
  readonly listeners = new Set<Listener>()
  readonly #name: PublicChannel
  readonly #source: ChannelSource
  readonly #failingMs: number
  readonly #onError: Report
  #frame: Buffer
  /** `undefined` while the channel has no value. */
  #sent: PreparedResponse | undefined
  #sentMs = performance.now()
  #failingSinceMs: number | undefined

  /** @param options.failingMs how long a bug or the database may keep the value away before listeners hear of it. */
  constructor({
    name,
    source,
    first,
    failingMs,
    onError,
  }: {
    name: PublicChannel
    source: ChannelSource
    first: PreparedResponse | undefined
    failingMs: number
    onError: Report
  }) {
    this.#name = name
    this.#source = source
    this.#failingMs = failingMs
    this.#onError = onError
    this.#sent = first
    this.#frame = first ? eventFrame(name, first.json) : unavailableFrame(name)
  }

  /** The frame that all listeners should have. */
  get frame(): Buffer {
    return this.#frame
  }

  /** Reads the current value. @returns a frame if there is something new to send. */
  async read(): Promise<Buffer | undefined> {
    const nowMs = performance.now()
    try {
      const response = await this.#source.read(parameterOf(this.#source, this.#name))
      this.#failingSinceMs = undefined
      return this.#takeValue(response, nowMs)
    } catch (error) {
      return this.#takeFailure(error, nowMs)
    }
  }

  #takeValue(response: PreparedResponse, nowMs: number): Buffer | undefined {
    const sent = this.#sent
    if (sent?.json === response.json) return undefined
    const isSame = sent !== undefined && this.#source.isSameValue?.(sent.data, response.data) === true
    if (isSame && nowMs - this.#sentMs < REFRESH_MS) return undefined
    this.#sent = response
    this.#sentMs = nowMs
    this.#frame = eventFrame(this.#name, response.json)
    return this.#frame
  }

  /** A refusal means that there is no value now. Any other error may be over soon. */
  #takeFailure(error: unknown, nowMs: number): Buffer | undefined {
    if (!(error instanceof Refusal)) {
      if (this.#failingSinceMs === undefined) this.#onError(error, `stream of ${this.#name}`)
      this.#failingSinceMs ??= nowMs
      if (nowMs - this.#failingSinceMs < this.#failingMs) return undefined
    }
    if (this.#sent === undefined) return undefined
    this.#sent = undefined
    this.#frame = unavailableFrame(this.#name)
    return this.#frame
  }
}

function parameterOf({ name }: ChannelSource, channel: PublicChannel): string {
  return channel.slice(name.length)
}

function unknownChannel(channel: PublicChannel): Refusal {
  return invalidField('channels', `no channel: ${channel}`)
}

function unavailableFrame(channel: PublicChannel): Buffer {
  return eventFrame('unavailable', JSON.stringify({ channel }))
}

import type { Socket } from 'node:net'
import type { PublicChannel } from '@clearwell/api/stream'
import { HEARTBEAT } from './frame.ts'

/** How much of what must not be skipped may wait for a slow reader. What is lost beyond it, the ledger tells again. */
const MAX_WAITING_BYTES = 256 * 1024
/** How long a reader may take nothing at all. */
const STALL_MS = 30_000

/** The part of a connection that a listener needs. */
export type Wire = Pick<Socket, 'write' | 'end' | 'destroy' | 'on' | 'writableLength' | 'writableNeedDrain'>

/**
 * One open stream. What waits for a slow reader is bounded: of a state's values all but the newest are skipped, and who
 * lets too much wait of what cannot be skipped is let go, and comes back with the id of the last event it got.
 */
export class Listener {
  readonly channels: readonly PublicChannel[]
  readonly #wire: Wire
  /** Channels whose newest value this reader has not got yet. */
  readonly #behind = new Set<PublicChannel>()
  readonly #newest: (channel: PublicChannel) => Buffer | undefined
  #fullSinceMs: number | undefined
  #isEnded = false

  constructor(wire: Wire, channels: readonly PublicChannel[], newest: (channel: PublicChannel) => Buffer | undefined) {
    this.#wire = wire
    this.channels = channels
    this.#newest = newest
  }

  /** From now on the connection is this stream's. */
  begin(): void {
    this.#wire.on('drain', () => this.#catchUp())
  }

  /** The newest values of these channels, in one frame: skipped where the reader has not taken the ones before. */
  sendState(frame: Buffer, channels: readonly PublicChannel[]): void {
    if (this.#isEnded) return
    if (this.#wire.writableNeedDrain) for (const channel of channels) this.#behind.add(channel)
    else this.#wire.write(frame)
  }

  /** What must not be skipped. */
  sendEvent(frame: Buffer): void {
    if (this.#isEnded) return
    if (this.#wire.writableLength + frame.length > MAX_WAITING_BYTES) this.cut()
    else this.#wire.write(frame)
  }

  /** Says that the stream lives; ends it where nothing was taken for too long. */
  beat(nowMs: number): void {
    if (this.#isEnded) return
    if (!this.#wire.writableNeedDrain) {
      this.#fullSinceMs = undefined
      this.#wire.write(HEARTBEAT)
      return
    }
    this.#fullSinceMs ??= nowMs
    if (nowMs - this.#fullSinceMs >= STALL_MS) this.cut()
  }

  /** Ends it with a last word. A reader that takes nothing does not get it: it is cut off a second later. */
  end(frame: Buffer): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#wire.end(frame)
    setTimeout(() => this.#wire.destroy(), 1_000).unref()
  }

  cut(): void {
    this.#isEnded = true
    this.#wire.destroy()
  }

  #catchUp(): void {
    this.#fullSinceMs = undefined
    const behind = [...this.#behind]
    this.#behind.clear()
    for (const channel of behind) {
      const frame = this.#newest(channel)
      if (frame) this.sendState(frame, [channel])
    }
  }
}

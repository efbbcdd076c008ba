import type { Socket } from 'node:net'
import type { PublicChannel } from '@clearwell/api/stream'
import { HEARTBEAT } from './frame.ts'

/** Bytes of unskippable events that may wait for a slow reader. Beyond it the reader must recover them from the ledger. */
const MAX_WAITING_BYTES = 256 * 1024
/** Milliseconds without progress after which a reader is disconnected. */
const STALL_MS = 30_000

/** The part of a connection that a listener needs. */
export type Wire = Pick<Socket, 'write' | 'end' | 'destroy' | 'on' | 'writableLength' | 'writableNeedDrain'>

/**
 * One open stream with backpressure. For a slow reader, all values of a state but the newest are skipped. A reader with too
 * many waiting unskippable events is disconnected, and reconnects with the id of its last event.
 */
export class Listener {
  readonly channels: readonly PublicChannel[]
  readonly #wire: Wire
  /** Channels whose newest value this reader has not received yet. */
  readonly #behind = new Set<PublicChannel>()
  readonly #newest: (channel: PublicChannel) => Buffer | undefined
  #fullSinceMs: number | undefined
  #isEnded = false

  constructor(wire: Wire, channels: readonly PublicChannel[], newest: (channel: PublicChannel) => Buffer | undefined) {
    this.#wire = wire
    this.channels = channels
    this.#newest = newest
  }

  /** Gives the connection to this stream. */
  begin(): void {
    this.#wire.on('drain', () => this.#catchUp())
  }

  /** Sends the newest values of these channels in one frame, or skips them while earlier values wait. */
  sendState(frame: Buffer, channels: readonly PublicChannel[]): void {
    if (this.#isEnded) return
    if (this.#wire.writableNeedDrain) for (const channel of channels) this.#behind.add(channel)
    else this.#wire.write(frame)
  }

  /** Sends an event that must not be skipped. */
  sendEvent(frame: Buffer): void {
    if (this.#isEnded) return
    if (this.#wire.writableLength + frame.length > MAX_WAITING_BYTES) this.cut()
    else this.#wire.write(frame)
  }

  /** Sends a heartbeat, or ends a stream that has made no progress for too long. */
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

  /** Ends the stream with a last frame. A reader that does not read it is disconnected a second later. */
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

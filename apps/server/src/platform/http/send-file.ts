import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { OpenFiles } from './open-files.ts'
import type { FileResponse } from './request-context.ts'

/** Time that an unfinished file gets to complete when the server stops, in milliseconds. */
const GRACE_MS = 5_000
/** Bytes that are handed to the connection at a time: the speed of a client is measured by them. */
const CHUNK_BYTES = 16 * 1024

/** Bounds of the files that are being sent. */
export interface FileLimits {
  /** Files of one client address. */
  readonly perAddress: number
  /** Files of all clients. */
  readonly inAll: number
  /** A client that takes less is disconnected. The time in which the server makes the next piece does not count. */
  readonly minBytesPerSecond: number
  /** Milliseconds for which a client may take less than the least speed. */
  readonly stallMs: number
}

export const FILE_LIMITS: FileLimits = { perAddress: 4, inAll: 50, minBytesPerSecond: 16_384, stallMs: 20_000 }

export type FileSender = (reply: FastifyReply, clientAddress: string, make: () => FileSource) => Promise<FastifyReply>
type FileSource = FileResponse | Promise<FileResponse>

/**
 * Creates the function that sends this app's files.
 *
 * The first piece is made before anything is sent, so an early error is an envelope like everywhere else. Further pieces
 * are made while the client reads, one ahead of it. If one fails, the connection is cut: half a file must never look
 * complete. The work ends when the client disconnects. A client that reads too slowly is disconnected, because each open
 * file keeps a piece in memory and counts toward the limits.
 *
 * @param onBug receives the error of a piece that could not be made.
 */
export function sendsFiles(
  app: FastifyInstance,
  onBug: (error: unknown, traceId: string) => void,
  limits: FileLimits = FILE_LIMITS,
): FileSender {
  const openStreams = new Set<Readable>()
  const openFiles = new OpenFiles(limits)
  app.addHook('preClose', async () => {
    // A client that has stopped reading must not keep the server from ending.
    const cut = setTimeout(() => {
      for (const stream of openStreams) stream.destroy()
    }, GRACE_MS)
    cut.unref()
  })
  return async (reply, clientAddress, make) => {
    const release = openFiles.acquire(clientAddress)
    try {
      const { name, type, pieces } = await make()
      const iterator = pieces[Symbol.asyncIterator]()
      const first = await iterator.next()
      const { raw } = reply
      const patience = new Patience(limits, () => raw.destroy())
      const paced = pacedChunks(
        reported(piecesFrom(first, iterator), (error) => onBug(error, reply.request.id)),
        patience,
      )
      const stream = Readable.from(paced, { highWaterMark: 1, objectMode: true })
      openStreams.add(stream)
      raw.once('close', () => {
        patience.end()
        openStreams.delete(stream)
        release()
      })
      if (raw.destroyed) stream.destroy()
      reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${name}"`)
        .type(type)
      return reply.send(stream)
    } catch (error) {
      release()
      throw error
    }
  }
}

/** The time that a slow client has left. Taking bytes at the least speed gives back as much as it takes. */
class Patience {
  readonly #limits: FileLimits
  readonly #onEnd: () => void
  #leftMs: number
  #waitingSinceMs: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(limits: FileLimits, onEnd: () => void) {
    this.#limits = limits
    this.#onEnd = onEnd
    this.#leftMs = limits.stallMs
  }

  /** The server waits for the client from here on. */
  wait(): void {
    this.#waitingSinceMs = performance.now()
    this.#timer = setTimeout(this.#onEnd, this.#leftMs)
    this.#timer.unref()
  }

  /** The client took these bytes. */
  took(bytes: number): void {
    const { stallMs, minBytesPerSecond } = this.#limits
    const waitedMs = this.#waitingSinceMs === undefined ? 0 : performance.now() - this.#waitingSinceMs
    this.end()
    this.#leftMs = Math.min(stallMs, this.#leftMs - waitedMs + (bytes / minBytesPerSecond) * 1_000)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#waitingSinceMs = undefined
  }
}

/** Hands pieces out in small chunks, and counts only the time in which the client keeps them waiting. */
async function* pacedChunks(pieces: AsyncIterable<string>, patience: Patience): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece)
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      const chunk = bytes.subarray(at, at + CHUNK_BYTES)
      patience.wait()
      yield chunk
      patience.took(chunk.length)
    }
  }
  // The last bytes are still on their way.
  patience.wait()
}

async function* piecesFrom(first: IteratorResult<string>, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}

async function* reported(pieces: AsyncIterable<string>, onBug: (error: unknown) => void) {
  try {
    yield* pieces
  } catch (error) {
    onBug(error)
    throw error
  }
}

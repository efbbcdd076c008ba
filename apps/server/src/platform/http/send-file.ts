import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FileResponse } from './request-context.ts'

/** Time that an unfinished file gets to complete when the server stops, in milliseconds. */
const GRACE_MS = 5_000
/** How long a client may take nothing of a file before it is let go. */
const STALL_MS = 60_000

export type FileSender = (reply: FastifyReply, file: FileResponse) => Promise<FastifyReply>

/**
 * Creates the function that sends this app's files.
 *
 * The first piece is made before anything is sent, so an early error is an envelope like everywhere else. Further pieces
 * are made while the client reads, one ahead of it. If one fails, the connection is cut: half a file must never look
 * complete. The work ends when the client disconnects. A client that stops reading is disconnected after a while,
 * because each stalled client keeps a piece in memory.
 *
 * @param onBug receives the error of a piece that could not be made.
 */
export function sendsFiles(
  app: FastifyInstance,
  onBug: (error: unknown, traceId: string) => void,
  stallMs = STALL_MS,
): FileSender {
  const openStreams = new Set<Readable>()
  app.addHook('preClose', async () => {
    // A client that has stopped reading must not keep the server from ending.
    const cut = setTimeout(() => {
      for (const stream of openStreams) stream.destroy()
    }, GRACE_MS)
    cut.unref()
  })
  return async (reply, { name, type, pieces }) => {
    const iterator = pieces[Symbol.asyncIterator]()
    const first = await iterator.next()
    const stream = Readable.from(reported(piecesFrom(first, iterator), onBug), { highWaterMark: 1 })
    openStreams.add(stream)
    stream.once('close', () => openStreams.delete(stream))
    reply.raw.setTimeout(stallMs, () => stream.destroy())
    reply.header('cache-control', 'no-store').header('content-disposition', `attachment; filename="${name}"`).type(type)
    return reply.send(stream)
  }
}

async function* piecesFrom(first: IteratorResult<string>, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}

async function* reported(pieces: AsyncIterable<string>, onBug: (error: unknown, traceId: string) => void) {
  try {
    yield* pieces
  } catch (error) {
    onBug(error, randomUUID())
    throw error
  }
}

import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FileAnswer } from './request-context.ts'

/** How long a file under way may take when the server ends. */
const GRACE_MS = 5_000
/** How long a client may take nothing of a file before it is let go. */
const STALL_MS = 60_000

export type FileSender = (reply: FastifyReply, file: FileAnswer) => Promise<FastifyReply>

/**
 * What sends files of this app. The first piece is made before anything is sent, so whatever is wrong by then is an
 * envelope as everywhere; the others are made as the client reads, one ahead of it. When one of them cannot be made the
 * connection is cut: half a file must never look whole. A client that goes away ends the making, and one that only stops
 * reading is let go after a while: with each of them a piece stays in memory.
 *
 * @param onBug is told of a piece that could not be made.
 */
export function sendsFiles(
  app: FastifyInstance,
  onBug: (error: unknown, traceId: string) => void,
  stallMs = STALL_MS,
): FileSender {
  const underWay = new Set<Readable>()
  app.addHook('preClose', async () => {
    // A client that has stopped reading must not keep the server from ending.
    const cut = setTimeout(() => {
      for (const stream of underWay) stream.destroy()
    }, GRACE_MS)
    cut.unref()
  })
  return async (reply, { name, type, pieces }) => {
    const iterator = pieces[Symbol.asyncIterator]()
    const first = await iterator.next()
    const stream = Readable.from(reported(piecesFrom(first, iterator), onBug), { highWaterMark: 1 })
    underWay.add(stream)
    stream.once('close', () => underWay.delete(stream))
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

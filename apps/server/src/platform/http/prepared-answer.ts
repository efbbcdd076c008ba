import { hash } from 'node:crypto'
import type { Locale } from '@clearwell/api/codes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { envelope } from './envelope.ts'

interface Prepared {
  readonly body: Buffer
  readonly etag: string
}

/** An answer that many poll and that seldom changes: made into bytes once, with a strong ETag. */
export class PreparedAnswer<Data = unknown> {
  readonly data: Data
  /** What the envelope carries, as JSON. A stream sends the same. */
  readonly json: string
  readonly #made = new Map<Locale, Prepared>()

  constructor(data: Data) {
    this.data = data
    this.json = JSON.stringify(data)
  }

  /** The whole envelope in a language. */
  in(locale: Locale): Prepared {
    let made = this.#made.get(locale)
    if (!made) {
      const body = Buffer.from(JSON.stringify(envelope('ok', this.data, locale).body))
      made = { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"` }
      this.#made.set(locale, made)
    }
    return made
  }
}

/**
 * Sends it, or 304 to who says that it has just this. The calls are POSTed, as the specification has them, and for POST
 * RFC 9110 would have 412 in the place of 304, because a POST is taken to change something; these only read, no cache
 * keeps an answer to a POST, and only who sent the ETag itself gets 304, so it is told nothing but the truth. A client
 * that sends none gets the envelope each time.
 */
export function sendPrepared(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  answer: PreparedAnswer,
  locale: Locale,
): FastifyReply {
  const { body, etag } = answer.in(locale)
  reply.header('etag', etag).header('cache-control', 'no-cache')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

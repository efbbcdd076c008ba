import { hash } from 'node:crypto'
import { CODES, type Locale } from '@clearwell/api/codes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { envelope } from './envelope.ts'

interface Prepared {
  readonly body: Buffer
  readonly etag: string
}

/** A response that many poll and that seldom changes: made into bytes once, with a strong ETag. */
export class PreparedResponse<Data = unknown> {
  readonly data: Data
  /** The envelope's data as JSON. A stream sends the same. */
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
 * Sends the prepared response, or 304 to a client that already has this version.
 *
 * The specification makes these calls POST. For POST, RFC 9110 asks for 412 where GET has 304, because a POST may change
 * something. These calls only read, and no cache keeps a response to a POST, so 304 is safe: only a client that sent the
 * ETag gets it. A client without an ETag gets the envelope each time.
 */
export function sendPrepared(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  response: PreparedResponse,
  locale: Locale,
): FastifyReply {
  const { body, etag } = response.in(locale)
  reply.envelopeCode = CODES.ok.code
  reply.header('etag', etag).header('cache-control', 'no-cache')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

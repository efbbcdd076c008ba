import { type IncomingHttpHeaders, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { text } from 'node:stream/consumers'

export interface JsonPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
}

export interface PostResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Posts a body to another server. Resolves with the response when its headers are there; rejects without one in time. */
export type Post = (post: JsonPost & { readonly type: string }) => Promise<IncomingMessage>

/**
 * Returns a function that posts to another server over connections that stay open, and follows no redirect.
 *
 * @param ca certificates in PEM, the only ones that may sign the other server's. Absent: those that Node trusts.
 */
export function createServerPoster({ ca }: { readonly ca: string | undefined }): Post {
  const plainAgent = new PlainAgent({ keepAlive: true })
  const tlsAgent = new TlsAgent({ keepAlive: true, ...(ca === undefined ? {} : { ca }) })
  return ({ url, headers, body, timeoutMs, type }) =>
    new Promise((resolve, reject) => {
      const options = {
        method: 'POST',
        headers: { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(timeoutMs),
      }
      const request = url.startsWith('https:')
        ? tlsRequest(url, { ...options, agent: tlsAgent })
        : plainRequest(url, { ...options, agent: plainAgent })
      request.on('error', reject)
      request.once('response', resolve)
      request.end(body)
    })
}

/** Posts JSON and reads the whole response. */
export async function postJson(post: Post, options: JsonPost): Promise<PostResponse> {
  const response = await post({ ...options, type: 'application/json' })
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}

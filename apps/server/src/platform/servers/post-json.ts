import { type IncomingHttpHeaders, Agent as PlainAgent, request as plainRequest } from 'node:http'
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

/**
 * Returns a function that posts JSON to another server over connections that stay open, and follows no redirect.
 *
 * @param ca certificates in PEM, the only ones that may sign the other server's. Absent: those that Node trusts.
 */
export function createJsonPoster({
  ca,
}: {
  readonly ca: string | undefined
}): (post: JsonPost) => Promise<PostResponse> {
  const plainAgent = new PlainAgent({ keepAlive: true })
  const tlsAgent = new TlsAgent({ keepAlive: true, ...(ca === undefined ? {} : { ca }) })
  return ({ url, headers, body, timeoutMs }) =>
    new Promise((resolve, reject) => {
      const isTls = url.startsWith('https:')
      const options = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(timeoutMs),
      }
      const request = isTls
        ? tlsRequest(url, { ...options, agent: tlsAgent })
        : plainRequest(url, { ...options, agent: plainAgent })
      request.on('error', reject)
      request.once('response', (response) => {
        const { statusCode: status = 0, headers: received } = response
        text(response).then((read) => resolve({ status, headers: received, body: read }), reject)
      })
      request.end(body)
    })
}

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectorIdOf, offerProvider } from '../offer-provider.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import type { Locale } from '../texts.ts'
import { createWalletState, type Request, respondToRequest, type WalletResponse } from '../wallet-requests.ts'

/** The app as one visitor sees it: with a wallet that really signs, and a language. */
export interface WalletProxy {
  readonly url: string
  /** Offers a new account from now on, in a language. */
  reset(locale: Locale): void
  stop(): Promise<void>
}

const SCRIPT = '/test-wallet.js'
const REQUESTS = '/test-wallet'

/**
 * Serves the app through a proxy that adds the wallet to the page. It works the same in every browser, also in those that
 * offer no script before the page's own.
 *
 * @param target the port of the server; known once it has started.
 */
export async function startWalletProxy(target: { port?: string; chainPort?: number }): Promise<WalletProxy> {
  let state = createWalletState({})
  let locale: Locale = 'en'
  const server = createServer((incoming, response) => {
    if (incoming.url === SCRIPT) return void response.setHeader('content-type', 'text/javascript').end(walletScript())
    if (incoming.url === REQUESTS) return void respondAsWallet(incoming, response)
    forward(incoming, response)
  })

  async function respondAsWallet(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked: Request = JSON.parse(await textOf(incoming))
    const result: WalletResponse = await respondToRequest(state, async () => {}, asked).then(
      (value) => ({ result: value }),
      ({ code = -32603, message }) => ({ error: { code, message } }),
    )
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
  }

  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    // Uncompressed, so that a page can be changed.
    const { 'accept-encoding': _, ...headers } = incoming.headers
    const options = { host: '127.0.0.1', port: target.port, path: incoming.url, method: incoming.method, headers }
    const outgoing = request(options, (answer) => {
      const isPage = String(answer.headers['content-type']).startsWith('text/html')
      if (!isPage) {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        return
      }
      void textOf(answer).then((html) => {
        const { 'content-length': _length, etag: _etag, ...kept } = answer.headers
        const cookie = `clearwell_locale=${locale}; path=/`
        response.writeHead(answer.statusCode ?? 502, { ...kept, 'set-cookie': cookie, 'cache-control': 'no-store' })
        response.end(html.replace('<head>', `<head><script src="${SCRIPT}"></script>`))
      })
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reset(next) {
      locale = next
      state = createWalletState({ chainPort: target.chainPort ?? 0 })
    },
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function walletScript(): string {
  const send = `(asked) => fetch('${REQUESTS}', { method: 'POST', body: JSON.stringify(asked) }).then((r) => r.json())`
  const options = JSON.stringify({ name: WALLET_NAME, as: 'announced', rdns: connectorIdOf(WALLET_NAME) })
  return `window['${WALLET_NAME} requests'] = ${send};\n(${offerProvider})(${options})`
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

import { createServer, type Server } from 'node:http'
import type { Bookkeeper } from './bookkeeper.ts'

const REQUEST_MS = 5_000
const HEADER_PATH = /^\/headers\/(\d{1,18})$/

/** The state of the bookkeeper, as everyone may see it. */
export interface Status {
  readonly address: string
  /** Why the next header has to wait, or why the server or the node cannot be read. */
  readonly waiting: string | undefined
}

/** Serves the statements: `/headers/<number>`, `/refusals` and `/status`. All of it is public. A refusal may name an account. */
export function createStatementServer(
  bookkeeper: Pick<Bookkeeper, 'statementOf' | 'refusals' | 'last'>,
  status: () => Status,
): Server {
  return createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    const send = (code: number, value: unknown) =>
      response
        .writeHead(code, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
        .end(JSON.stringify(value))
    if (request.method !== 'GET') return send(405, { error: 'only GET' })
    const { address, waiting = null } = status()
    if (request.url === '/status') return send(200, { address, last: `${bookkeeper.last}`, waiting })
    if (request.url === '/refusals') return send(200, { refusals: bookkeeper.refusals })
    const [, number] = HEADER_PATH.exec(request.url ?? '') ?? []
    const statement = number === undefined ? undefined : bookkeeper.statementOf(number)
    return statement ? send(200, statement) : send(404, { last: `${bookkeeper.last}`, waiting })
  })
}

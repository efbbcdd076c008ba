import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Queryable } from '@clearwell/ledger/database'
import { localBookkeeperAccount } from '../../../platform/signer/proof-keys.ts'

/** A bookkeeper that signs every header of a server without a look at it, once the server is known. */
export interface TestBookkeeper {
  /** The variables of its server. */
  readonly variables: Readonly<Record<string, string>>
  /** While false, it signs nothing. */
  isAwake: boolean
  serve(db: Queryable): void
  close(): Promise<void>
}

export async function startTestBookkeeper(): Promise<TestBookkeeper> {
  const account = localBookkeeperAccount()
  let db: Queryable | undefined
  const http = createServer(async (request, response) => {
    const number = request.url?.split('/').at(-1) ?? ''
    const text = 'select hash from proof_headers where id = $1'
    const [row] = bookkeeper.isAwake && db ? await db.query<{ hash: `0x${string}` }>(text, [number]) : []
    if (!row) return response.writeHead(404).end('"not yet"')
    const signature = await account.sign({ hash: row.hash })
    return response.end(JSON.stringify({ number, hash: row.hash, signature }))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const bookkeeper: TestBookkeeper = {
    variables: {
      BOOKKEEPER_URL: `http://127.0.0.1:${port}`,
      BOOKKEEPER_ADDRESS: account.address,
      BOOKKEEPER_TOKEN: `0x${'77'.repeat(32)}`,
    },
    isAwake: true,
    serve(served) {
      db = served
    },
    close: () => new Promise((resolve) => http.close(() => resolve())),
  }
  return bookkeeper
}

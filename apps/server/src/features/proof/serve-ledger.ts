import { hash, timingSafeEqual } from 'node:crypto'
import { EntriesArchived } from '@clearwell/ledger/archives'
import type { Database } from '@clearwell/ledger/database'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { FastifyInstance } from 'fastify'
import { exportBatch } from '../../domain/proofs/export-batch.ts'
import type { ExportHead } from '../../domain/proofs/export-ledger.ts'

/** Not a call of the API: only bookkeepers read it. */
const LEDGER_PATH = '/internal/ledger'

const NUMBER = /^\d{1,18}$/

/** The ways on for a bookkeeper that lacks entries of archives. */
const WITHOUT_STORE =
  'Start with a copy of the store of a bookkeeper that has these entries, or have the operator attach the archives again.'

/**
 * Binds the path where the bookkeepers read the ledger: `entry`, `header` and `change` are the last of each that it has, and `signed` is the last header
 * whose signatures it has, and `line` the last line of rows. Without a token the path does not exist.
 */
export function serveLedger(
  app: FastifyInstance,
  { db, head, tokens }: { readonly db: Database; readonly head: ExportHead; readonly tokens: readonly Uint8Array[] },
): void {
  const expected = tokens.map((token) => digest(`Bearer 0x${Buffer.from(token).toString('hex')}`))
  /** One response is made at a time: it holds a connection and up to some megabytes. */
  let last: Promise<unknown> = Promise.resolve()
  app.get(LEDGER_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    // Digests have one length, so the comparison takes the same time for every token.
    const given = digest(request.headers.authorization ?? '')
    if (!expected.some((each) => timingSafeEqual(given, each))) return reply.callNotFound()
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    const [entry = '', header = '', change = ''] = ['entry', 'header', 'change'].map((name) => query.get(name) ?? '')
    if (![entry, header, change].every((each) => NUMBER.test(each)))
      return reply.code(400).type('text/plain; charset=utf-8').send('entry, header and change must be numbers')
    const signed = query.get('signed')
    if (signed !== null && !NUMBER.test(signed))
      return reply.code(400).type('text/plain; charset=utf-8').send('signed must be a number')
    const row = query.get('line')
    if (row !== null && !NUMBER.test(row))
      return reply.code(400).type('text/plain; charset=utf-8').send('line must be a number')
    const after = {
      ...{ entry: BigInt(entry), header: BigInt(header), change: BigInt(change) },
      ...(signed === null ? {} : { signed: BigInt(signed) }),
      ...(row === null ? {} : { line: BigInt(row) }),
    }
    const made = last.then(() => readOneMoment(db, (tx) => exportBatch(tx, head, after)))
    last = made.catch(() => {})
    reply.header('cache-control', 'no-store')
    try {
      return await reply.type('application/jsonl; charset=utf-8').send(await made)
    } catch (error) {
      if (!(error instanceof EntriesArchived)) throw error
      return reply.code(410).type('text/plain; charset=utf-8').send(`${error.message} ${WITHOUT_STORE}`)
    }
  })
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, QUERY_CANCELLED, sqlState } from '@clearwell/ledger/database'
import { LEDGER_MIGRATIONS } from '@clearwell/ledger/migrate'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { copyMigratedPglite } from '@clearwell/ledger/testing/database'
import { NotReady } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { notReadyWhenAway } from './not-ready-when-away.ts'

const coded = (code: string, message = 'no') => Object.assign(new Error(message), { code })

/** A database in which every call fails with this error. */
function failing(error: unknown): Database {
  const fail = () => Promise.reject(error)
  return { kind: 'postgres', query: fail, transaction: fail, commitInOrder: fail, script: fail, close: async () => {} }
}

const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (error: unknown) => error,
  )

test.each([
  ['a refused connection', coded('ECONNREFUSED')],
  ['a host that refuses on each of its addresses', new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')])],
  ['a connection that is reset', coded('ECONNRESET')],
  ['a connection that broke while it was written to', coded('EPIPE')],
  ['a host that has no address', coded('ENOTFOUND')],
  ['an administrator who ended the connection', coded('57P01', 'terminating connection')],
  ['a server that starts', coded('57P03', 'the database system is starting up')],
  ['a connection failure', coded('08006')],
  ['too many connections', coded('53300')],
  ['a server that turned read-only', coded('25006')],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['a connection that took too long', new Error('Connection terminated due to connection timeout')],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  ['an answer that does not come', new Error('Query read timeout')],
  ['a closed PGlite', new Error('PGlite is closed')],
])('%s is "not ready", with the error as its cause', async (_name, error) => {
  const db = notReadyWhenAway(failing(error))
  for (const work of [
    db.query('select 1'),
    db.transaction(async () => {}),
    db.commitInOrder([]),
    db.script('select 1'),
  ]) {
    const thrown = await thrownBy(work)
    expect(thrown).toBeInstanceOf(NotReady)
    expect((thrown as Error).cause).toBe(error)
  }
})

test.each([
  ['a unique key', coded('23505', 'duplicate key')],
  ['a syntax error', coded('42601', 'Connection terminated')],
  ['a conflict, which the writer tries again', coded('40001')],
  ['a file that is missing', coded('ENOENT', 'Query read timeout')],
  ['a bug', new TypeError('rows is undefined')],
  ['a bug that speaks of connections', new Error('no Connection terminated here')],
  ['text', 'Query read timeout'],
  ['nothing', undefined],
])('the error %s is forwarded unchanged', async (_name, error) => {
  const db = notReadyWhenAway(failing(error))
  for (const work of [
    db.query('select 1'),
    db.transaction(async () => {}),
    db.commitInOrder([]),
    db.script('select 1'),
  ])
    expect(await thrownBy(work)).toBe(error)
})

describe('PGlite', () => {
  test('PGlite responds, rolls back and is "not ready" once closed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clearwell-away-'))
    await copyMigratedPglite(folder, [LEDGER_MIGRATIONS])
    const db = notReadyWhenAway(await openPgliteDatabase(folder))
    expect(await db.query('select $1::int8 as n', ['5'])).toEqual([{ n: 5n }])
    await db.script('create table notes (id text primary key)')
    const bug = new Error('a bug of the work')
    const work = db.transaction(async (tx) => {
      await tx.query(`insert into notes values ('a')`)
      throw bug
    })
    expect(await thrownBy(work)).toBe(bug)
    expect(await db.query('select * from notes')).toEqual([])
    expect(await thrownBy(db.query('select * from nowhere'))).toMatchObject({ code: '42P01' })
    await db.close()
    expect(await thrownBy(db.query('select 1'))).toBeInstanceOf(NotReady)
    expect(await thrownBy(db.transaction((tx) => tx.query('select 1')))).toBeInstanceOf(NotReady)
    await rm(folder, { recursive: true })
  })
})

/** A proxy between the server and PostgreSQL that can cut connections. */
class Line {
  #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  #isSilent = false
  #target: { host: string; port: number }

  constructor(target: URL) {
    this.#target = { host: target.hostname, port: Number(target.port || 5432) }
  }

  get port(): number {
    return this.#port
  }

  async open(): Promise<void> {
    this.#isSilent = false
    this.#server = createServer((near) => {
      const far = connect(this.#target)
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from)
        from.on('data', (bytes) => this.#isSilent || to.write(bytes))
        from.on('close', () => to.destroy())
        from.on('error', () => to.destroy())
      }
    })
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Drops everything silently, like a host that vanished. */
  goSilent(): void {
    this.#isSilent = true
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
    await closed
  }
}

describe.skipIf(process.env.TEST_DATABASE !== 'postgres')('PostgreSQL', () => {
  const MAX_QUERY_MS = 400
  const LONG_MS = 60_000
  let line: Line
  let url: URL
  const opened: Database[] = []

  async function open(maxQueryMs: number): Promise<Database> {
    const db = notReadyWhenAway(await openPostgresDatabase(url.href, { maxConnections: 2, maxQueryMs }))
    opened.push(db)
    return db
  }

  beforeEach(async () => {
    url = new URL(String(process.env.TEST_DATABASE_URL))
    line = new Line(url)
    await line.open()
    url.host = `127.0.0.1:${line.port}`
  })
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.close()
    await line.cut()
  })

  test('PostgreSQL is "not ready" from a cut connection until it is back', async () => {
    const db = await open(LONG_MS)
    const [query, transaction] = [
      thrownBy(db.query('select pg_sleep(60)')),
      thrownBy(db.transaction((tx) => tx.query('select pg_sleep(60)'))),
    ]
    await new Promise((resolve) => setTimeout(resolve, 100))
    await line.cut()
    expect(await query).toBeInstanceOf(NotReady)
    expect(await transaction).toBeInstanceOf(NotReady)
    expect(await thrownBy(db.query('select 1'))).toBeInstanceOf(NotReady)
    await line.open()
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a vanished database fails within the statement timeout and loses its connections', async () => {
    const db = await open(MAX_QUERY_MS)
    // Both connections are open, so the measurement does not include opening one.
    await Promise.all([db.query('select 1'), db.query('select 1')])
    line.goSilent()
    const startedMs = performance.now()
    const stuck = await Promise.all([
      thrownBy(db.query('select 1')),
      thrownBy(db.transaction((tx) => tx.query('select 1'))),
    ])
    for (const error of stuck) expect(error).toBeInstanceOf(NotReady)
    // The network's own limit is a quarter of an hour.
    expect(performance.now() - startedMs).toBeLessThan(30_000)
    await line.cut()
    await line.open()
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  test('allows a migration script more time', async () => {
    const db = await open(MAX_QUERY_MS)
    await db.script(`select pg_sleep(${(MAX_QUERY_MS * 2) / 1000})`)
    const cancelled = await thrownBy(db.query(`select pg_sleep(${(MAX_QUERY_MS * 2) / 1000})`))
    expect(sqlState(cancelled)).toBe(QUERY_CANCELLED)
  })

  test('a session ended by an administrator is "not ready" for one statement', async () => {
    const db = await open(LONG_MS)
    const sleeping = thrownBy(db.query('select pg_sleep(60), 4711'))
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where query like '%4711%' and pid <> pg_backend_pid()`
    await expect.poll(() => db.query(end)).toHaveLength(1)
    expect(await sleeping).toBeInstanceOf(NotReady)
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  })
})

import { randomUUID } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { auditBooks } from './audit.ts'
import { type Command, write } from './command.ts'
import type { Database, Queryable, Statement } from './database.ts'
import { LEDGER_MIGRATIONS } from './migrate.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { column, defineWriterTable, forever } from './table.ts'
import { newTestPostgres, openTestDatabase } from './testing/database.ts'
import { CommandFailed, NotReady, Writer } from './writer.ts'

const TALLIES = 'create table test_tallies (id text primary key, times integer not null check (times < 1000000))'
const tallies = defineWriterTable('test_tallies', forever('a test'), { id: column.text, times: column.integer })

/** For a longer search: `CUTS_FROM=1000 CUTS_SEEDS=500`. Each seed is named in its test, so that it can be run alone. */
const FROM = Number(process.env.CUTS_FROM ?? 1)
const SEEDS = Array.from({ length: Number(process.env.CUTS_SEEDS ?? 3) }, (_, index) => FROM + index)
const CLIENTS = 4
const BURSTS = 5
const ACCOUNTS = 500

test.each(SEEDS)('executes each command once when responses are lost at random (seed %i)', async (seed) => {
  const random = randomFrom(seed)
  const db = await openTestDatabase([LEDGER_MIGRATIONS], TALLIES)
  const losing = new LosingDatabase(db, random)
  const writer = await Writer.open({
    db: withSlowLookUps(losing, random),
    clock: { now: () => new Date() },
    randomId: () => randomUUID(),
    holder: 'test',
    leaseTtlMs: 200,
    exclusive: true,
  })
  try {
    const model = new Model()
    losing.isLosing = true
    await runClients({ seed, writers: [writer], model, bugs: 0 })
    losing.isLosing = false
    await model.expectKept(db, [writer])
    expect(await auditBooks(db)).toEqual([])
  } finally {
    losing.isLosing = false
    await writer.close()
    await losing.settled()
    await db.close()
  }
})

// PGlite has no connection that could be cut.
if (process.env.TEST_DATABASE === 'postgres') {
  test.each(SEEDS)(
    'connections that are cut anywhere lose and double nothing (seed %i)',
    async (seed) => {
      const random = randomFrom(seed)
      const { url, drop } = await newTestPostgres([LEDGER_MIGRATIONS])
      const proxy = await CuttingProxy.open(url, random)
      const db = await openPostgresDatabase(url)
      await db.script(TALLIES)
      const through = await openPostgresDatabase(proxy.url, { maxQueryMs: 3_000 })
      const servers = seed % 3 === 0 ? 2 : 1
      const unexpected: unknown[] = []
      const writers: Writer[] = []
      for (let number = 0; number < servers; number++)
        writers.push(
          await Writer.open({
            db: withSlowLookUps(through, random),
            clock: { now: () => new Date() },
            randomId: () => randomUUID(),
            holder: `server ${number}`,
            leaseTtlMs: 200,
            exclusive: servers === 1,
            onError: (error, task) => {
              if (task.startsWith('batch rejected')) unexpected.push(error)
            },
          }),
        )
      try {
        const model = new Model()
        proxy.isCutting = true
        await runClients({ seed, writers, model, bugs: 0 })
        proxy.isCutting = false
        await model.expectKept(db, writers)
        for (const writer of writers) await writer.close()
        expect(await auditBooks(db)).toEqual([])
        expect(unexpected.filter((error) => !isPoison(error))).toEqual([])
      } finally {
        proxy.isCutting = false
        for (const writer of writers) await writer.close()
        await through.close()
        await db.close()
        proxy.close()
        await drop()
      }
    },
    60_000,
  )
}

const isPoison = (error: unknown) => error instanceof Error && /test_tallies_times_check/.test(error.message)

interface Step {
  readonly key: string
  readonly command: Command<{ id: string }>
  readonly isBug: boolean
}

/** Records the responses, and checks the ledger entries that they imply. */
class Model {
  /** By key. */
  readonly responses = new Map<string, string>()
  /** The responses to commands that succeeded at the first try, in their order. */
  readonly inOrder: string[] = []
  readonly steps = new Map<string, Step>()

  acknowledged(step: Step, { id }: { id: string }, isFirstTry: boolean): void {
    const before = this.responses.get(step.key)
    if (before !== undefined && before !== id) throw new Error(`${step.key} was answered ${before} and ${id}`)
    if (before === undefined && isFirstTry) this.inOrder.push(id)
    this.responses.set(step.key, id)
    this.steps.set(step.key, step)
  }

  /** Every acknowledged command is in the ledger once, nothing else is, and its key still finds its response. */
  async expectKept(db: Database, writers: readonly Writer[]): Promise<void> {
    const kept = (await db.query<{ reference: string }>('select reference from entries order by seq')).map(
      (entry) => entry.reference,
    )
    expect(kept.toSorted()).toEqual([...this.responses.values()].toSorted())
    const place = new Map(kept.map((reference, index) => [reference, index]))
    const places = this.inOrder.map((id) => place.get(id) ?? -1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    const tallied = await db.query<{ times: number }>('select times from test_tallies')
    expect(tallied.reduce((sum, row) => sum + row.times, 0)).toBe(kept.length)
    for (const [key, step] of [...this.steps].slice(-20)) {
      expect((await untilAcknowledged(step, writers, () => {})).id).toBe(this.responses.get(key))
    }
  }
}

interface Run {
  readonly seed: number
  readonly writers: readonly Writer[]
  readonly model: Model
  /** Which part of the commands has a bug that only the database finds: their batches then go one by one, which takes long. */
  readonly bugs: number
}

async function runClients(run: Run): Promise<void> {
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client, run)))
}

async function runClient(client: number, { seed, writers, model, bugs }: Run): Promise<void> {
  const random = randomFrom(seed * 100 + client)
  let taken = 0
  for (let burst = 0; burst < BURSTS; burst++) {
    const steps: Step[] = []
    const size = 1 + Math.floor(random() * 200)
    for (let index = 0; index < size; index++) steps.push(newStep(`client-${client}-${taken++}`, random, bugs))
    // Some bursts arrive together; others arrive while their first batches are being written.
    const spreadMs = burst % 2 === 0 ? 60 : 0
    await Promise.all(
      steps.map(async (step) => {
        if (spreadMs > 0) await pause(random() * spreadMs)
        // Some clients send the same request twice in parallel.
        const asked = random() < 0.05 ? [step, step] : [step]
        await Promise.all(asked.map((each) => execute(each)))
      }),
    )
    if (random() < 0.3) await pause(random() * 30)
  }

  async function execute(step: Step): Promise<void> {
    let tries = 0
    try {
      const acknowledged = await untilAcknowledged(step, writers, () => {
        tries++
      })
      if (step.isBug) throw new Error(`${step.key} has a bug and was answered`)
      model.acknowledged(step, acknowledged, tries === 0)
    } catch (error) {
      if (!(step.isBug && error instanceof CommandFailed)) throw error
    }
  }
}

/** Repeats with the same key while the response is "not ready". */
async function untilAcknowledged(step: Step, writers: readonly Writer[], again: () => void): Promise<{ id: string }> {
  for (;;) {
    const writer = writers.find((each) => each.isWriting)
    try {
      if (writer) return await writer.execute(step.command)
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
      again()
    }
    await pause(5)
  }
}

/** Moves a unit into or out of one of a few accounts that all share, and counts it in a row. */
function newStep(key: string, random: () => number, bugs: number): Step {
  const account = Math.floor(random() * ACCOUNTS)
  const isBug = random() < bugs
  const units = BigInt(1 + Math.floor(random() * 9))
  const tally = `tally ${Math.floor(random() * 200)}`
  const command: Command<{ id: string }> = {
    kind: 'move',
    owner: 'someone',
    key,
    payload: { account },
    preload: [
      { account: `user:${account}`, asset: 'USDT' },
      { table: tallies, id: tally },
    ],
    decide(state, context) {
      const held = state.balance(`user:${account}`, 'USDT')
      const moved = held < 20n ? units : -units
      const times = state.row(tallies, tally)?.times ?? 0
      return {
        entries: [
          {
            kind: 'move',
            reference: context.id('move'),
            postings: [
              { account: 'vault', asset: 'USDT', units: -moved },
              { account: `user:${account}`, asset: 'USDT', units: moved },
            ],
          },
        ],
        // The database refuses what is above a million: a bug that shows only when all is written.
        rows: [write(tallies, { id: tally, times: isBug ? 2_000_000 : times + 1 })],
        response: { id: context.id('move') },
      }
    },
  }
  return { key, command, isBug }
}

/**
 * Sits between `pg` and PostgreSQL and cuts connections after random numbers of bytes: for both ends immediately, or for
 * the client alone, while PostgreSQL still receives the earlier bytes late.
 */
class CuttingProxy {
  isCutting = false
  cuts = 0
  #server: Server
  #url: URL
  #random: () => number
  #bytesLeft = 0
  #commitsLeft = 0
  #sockets = new Set<Socket>()

  private constructor(url: string, random: () => number) {
    this.#url = new URL(url)
    this.#random = random
    this.#server = createServer((client) => this.#join(client))
    this.#arm()
  }

  static async open(url: string, random: () => number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(url, random)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    const url = new URL(this.#url)
    const address = this.#server.address()
    if (typeof address === 'object' && address) url.port = String(address.port)
    return url.href
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #arm(): void {
    // Instead of a response to a commit, or anywhere: mostly within a few batches, sometimes within a handshake.
    this.#commitsLeft = this.#random() < 0.5 ? 1 + Math.floor(this.#random() * 6) : Number.POSITIVE_INFINITY
    const isBytes = this.#commitsLeft === Number.POSITIVE_INFINITY
    this.#bytesLeft = isBytes ? Math.floor(this.#random() ** 3 * 300_000) : Number.POSITIVE_INFINITY
  }

  #join(client: Socket): void {
    const server = connect(Number(this.#url.port), this.#url.hostname)
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => this.#sockets.delete(socket))
    }
    let late = 0
    // Each connection has its own delay, so a look-up may come after later commits.
    const lag = this.#random() < 0.5 ? 0 : this.#random() * 4
    const toServer = (chunk: Buffer) => {
      if (late === 0) server.write(chunk)
      else setTimeout(() => server.write(chunk), late)
    }
    client.on('data', (chunk) => {
      const passed = this.#pass(chunk, false)
      toServer(passed)
      if (passed.length < chunk.length) cut(chunk.subarray(passed.length))
    })
    const toClient = (chunk: Buffer) => {
      const passed = this.#pass(chunk, true)
      if (!client.destroyed) client.write(passed)
      if (passed.length < chunk.length) cut(Buffer.alloc(0))
    }
    server.on('data', (chunk) => {
      if (lag === 0) toClient(chunk)
      else setTimeout(() => toClient(chunk), lag)
    })
    client.on('close', () => setTimeout(() => server.end(), late))
    server.on('close', () => setTimeout(() => client.end(), lag))
    const cut = (rest: Buffer) => {
      this.cuts++
      this.#arm()
      const how = this.#random()
      if (how < 0.4) {
        client.destroy()
        server.destroy()
        return
      }
      // PostgreSQL hears of it later, and does meanwhile what it has been sent.
      late = Math.floor(this.#random() * 60)
      if (how < 0.8) toServer(rest)
      client.resume()
      client.resetAndDestroy()
    }
  }

  /** How much of a chunk may pass. */
  #pass(chunk: Buffer, isResponse: boolean): Buffer {
    if (!this.isCutting) return chunk
    if (isResponse && chunk.includes('COMMIT') && --this.#commitsLeft === 0)
      return chunk.subarray(0, chunk.indexOf('COMMIT') - 5)
    const passed = chunk.subarray(0, this.#bytesLeft)
    this.#bytesLeft -= passed.length
    return passed
  }
}

/** A connection on which one transaction follows the other. */
interface Connection {
  isLost: boolean
  /** True if PostgreSQL still runs the statements that were sent before the cut. */
  goesOn: boolean
  before: Promise<void>
  readonly pending: Set<(error: Error) => void>
}

/**
 * A real database whose connection for commits is lost at random: before a commit, during it, or before its response.
 * What was sent behind it is then done later, or never.
 */
class LosingDatabase implements Database {
  readonly kind: Database['kind']
  isLosing = false
  losses = 0
  #real: Database
  #random: () => number
  #connection: Connection | undefined
  #all = new Set<Promise<void>>()

  constructor(real: Database, random: () => number) {
    this.#real = real
    this.#random = random
    this.kind = real.kind
  }

  query: Database['query'] = (text, params) => this.#real.query(text, params)
  transaction = <Result>(work: (tx: Queryable) => Promise<Result>) => this.#real.transaction(work)
  script = (text: string) => this.#real.script(text)
  close = () => this.#real.close()

  /** Ends when what went on behind lost connections has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#all)
  }

  commitInOrder(statements: readonly Statement[]): Promise<void> {
    this.#connection ??= {
      isLost: false,
      goesOn: this.#random() < 0.5,
      before: Promise.resolve(),
      pending: new Set(),
    }
    const connection = this.#connection
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    connection.pending.add(reject)
    const run = async () => {
      if (this.isLosing && this.#random() < 0.05) setTimeout(() => this.#lose(connection), this.#random() * 8)
      await pause(this.#random() * 3)
      if (connection.isLost && !connection.goesOn) return
      try {
        await this.#real.transaction(async (tx) => {
          for (const { text, params } of statements) await tx.query(text, params)
        })
        if (this.isLosing && this.#random() < 0.1) this.#lose(connection)
        resolve()
      } catch (error) {
        reject(error)
      } finally {
        connection.pending.delete(reject)
      }
    }
    connection.before = connection.before.then(run)
    this.#all.add(connection.before)
    return promise
  }

  #lose(connection: Connection): void {
    if (connection.isLost) return
    this.losses++
    connection.isLost = true
    this.#connection = undefined
    for (const reject of connection.pending) reject(new Error('Connection terminated unexpectedly'))
    connection.pending.clear()
  }
}

/** Some look-ups return late, after later commits. */
function withSlowLookUps(db: Database, random: () => number): Database {
  return {
    kind: db.kind,
    transaction: (work) => db.transaction(work),
    commitInOrder: (statements) => db.commitInOrder(statements),
    script: (text) => db.script(text),
    close: () => db.close(),
    async query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> {
      const rows = await db.query<Row>(text, params)
      if (random() < 0.5) await pause(random() * 15)
      return rows
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A small generator of numbers from 0 to 1 (mulberry32): the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

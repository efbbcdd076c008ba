import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEDGER_MIGRATIONS, migrate } from '@clearwell/ledger/migrate'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { copyMigratedPglite, newTestPostgres } from '@clearwell/ledger/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Facts } from './kill-child.ts'
import type { FromChild, ToChild } from './kill-messages.ts'
import { firstSteps, type Step, type StepOutcome, stepsOfRound, userId } from './kill-steps.ts'
import { replay } from './replay.ts'

const MIGRATIONS = [LEDGER_MIGRATIONS, join(import.meta.dirname, '../../apps/server/migrations')]
const isPostgres = process.env.TEST_DATABASE === 'postgres'
/** On PostgreSQL, where a kill also finds statements under way. */
const MIN_KILLS = 100
const TIMEOUT_MS = 300_000
/** How many commands that were answered long ago each round repeats. */
const REPETITIONS = 3

let where: string
let cleanUp: () => Promise<void>
const children = new Set<ChildProcess>()

beforeAll(async () => {
  const made = isPostgres ? await newPostgres() : await newFolder()
  where = made.where
  cleanUp = made.cleanUp
})

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await cleanUp()
})

describe('a server that is killed with SIGKILL', () => {
  test(
    'between any two statements loses no command that it acknowledged and does none twice',
    async () => {
      const startedMs = performance.now()
      const client = new Client()
      await client.round({ waves: [firstSteps(), []] })
      const calm = await client.round({ waves: client.nextWaves() })
      const positions = [
        ...calm.opening.filter(isOwnState).map((at) => ({ opening: at })),
        ...calm.passed.filter(isOwnState).map((at) => ({ batch: at })),
      ]
      expect(calm.passed).toContain('after commit #2')

      let kills = 0
      const starts: number[] = []
      while (kills < Math.max(isPostgres ? MIN_KILLS : 0, positions.length)) {
        const position = positions[kills % positions.length]
        const round = await client.round({ waves: client.nextWaves(), ...position })
        expect(round.killedAt, `round ${client.rounds}`).toBe(Object.values(position ?? {})[0])
        starts.push(round.sinceStartMs ?? 0)
        kills++
      }
      // What the last kill left unanswered is repeated once more, without any.
      await client.round({ waves: [client.unanswered(), []] })
      expect(client.unanswered()).toEqual([])

      await client.expectEqualToReplay()
      const times = starts.filter((ms) => ms > 0).toSorted((a, b) => a - b)
      console.log(
        `${kills} kills at ${positions.length} positions, ${client.issued.length} commands, ` +
          `${client.repeated} repeated after their answer, ${client.lostAnswers} committed without an answer; ` +
          `start after a kill: median ${times[times.length >> 1]?.toFixed(0)} ms, worst ${times.at(-1)?.toFixed(0)} ms; ` +
          `${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
      )
      // Or the kills never came between a commit and its answer.
      expect(client.lostAnswers).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )
})

/** PGlite works in the process itself, so there nothing between two statements of one transaction leaves a trace. */
function isOwnState(position: string): boolean {
  return isPostgres || !/^before (?!begin|commit)/.test(position)
}

interface Round {
  readonly waves: [Step[], Step[]]
  /** Where to kill the process while it opens. */
  readonly opening?: string
  /** Where to kill it while it works. */
  readonly batch?: string
}

/** All the clients of the server in one: it keeps what was answered, and repeats what was not with the same key. */
class Client {
  rounds = 0
  /** Each command once, in the order in which it was first sent, which is the order in which it must take effect. */
  readonly issued: Step[] = []
  /** How often a command was sent again after its answer, and how often an answer was lost after the commit. */
  repeated = 0
  lostAnswers = 0
  readonly #answers = new Map<string, StepOutcome>()
  /** Outcomes that were found in the database, whether or not they were answered. */
  readonly #found = new Map<string, StepOutcome>()
  #round = 0

  unanswered(): Step[] {
    return this.issued.filter((step) => !this.#answers.has(step.name))
  }

  nextWaves(): [Step[], Step[]] {
    const again = this.unanswered()
    const answered = this.issued.filter((step) => this.#answers.has(step.name) && step.do !== 'credit')
    const repeated = Array.from(
      { length: Math.min(REPETITIONS, answered.length) },
      (_, index) => answered[(this.rounds * 7 + index * 13) % answered.length] as Step,
    )
    const [first, second] = stepsOfRound(++this.#round)
    this.issued.push(...first, ...second)
    return [
      [...again, ...repeated, ...first],
      [...second, ...repeated],
    ]
  }

  /** Starts the server, checks the books, sends commands, and has it killed or closed. */
  async round({ waves, opening, batch }: Round) {
    this.rounds++
    if (this.issued.length === 0) this.issued.push(...waves.flat())
    const server = startServer(opening)
    const ready = await server.next('ready')
    if (!ready) return { killedAt: await server.killedAt, opening: [], passed: [] }
    this.#check(await server.ask({ kind: 'facts' }, 'facts'))

    // The watcher goes on from its cursor, so it does not send again what is credited.
    const toSend = waves.map((wave) => wave.filter((step) => step.do !== 'credit' || !this.#answers.has(step.name)))
    server.onAnswer((name, outcome) => this.#take(name, outcome))
    server.send({ kind: 'run', waves: toSend as [Step[], Step[]], killAt: batch })
    const done = await server.next('done')
    const { sinceStartMs } = ready
    if (!done) return { killedAt: await server.killedAt, sinceStartMs, opening: [], passed: [] }
    this.#check(await server.ask({ kind: 'facts' }, 'facts'))
    server.send({ kind: 'close' })
    expect(await server.ended).toEqual({ code: 0, signal: null })
    return { killedAt: undefined, sinceStartMs, opening: ready.passed, passed: done.passed }
  }

  #take(name: string, outcome: StepOutcome): void {
    if ('notReady' in outcome || 'bug' in outcome) throw new Error(`${name}: ${JSON.stringify(outcome)}`)
    const before = this.#answers.get(name)
    if (before) this.repeated++
    expect(outcome, `${name} answered once more`).toEqual(before ?? outcome)
    this.#answers.set(name, outcome)
  }

  /** What must be true whenever the server has started. */
  #check(facts: Facts): void {
    expect(facts.faults).toEqual([])
    for (const step of this.issued) {
      if (step.do === 'credit' && step.block <= facts.block && !this.#answers.has(step.name)) {
        this.lostAnswers++
        this.#answers.set(step.name, {
          ok: {
            credited: step.deposits.map((_, index) => depositId(step.block, index)),
            completed: [],
            unknown: [],
          },
        })
      }
    }
    const stored = new Map(facts.answers.map((row) => [row.key, row.outcome]))
    for (const [key, outcome] of this.#found) expect(stored.get(key), `${key} once found`).toEqual(outcome)
    for (const [key, outcome] of stored) {
      if (!this.#found.has(key) && !this.#answers.has(key)) this.lostAnswers++
      this.#found.set(key, outcome)
    }
    const keyed = this.issued.filter((step) => step.do !== 'credit' && step.do !== 'open_pool')
    for (const { name } of keyed) {
      const answer = this.#answers.get(name)
      if (answer) expect(stored.get(name), `${name} was acknowledged`).toEqual(answer)
    }
    const names = new Set(keyed.map((step) => step.name))
    for (const key of stored.keys()) expect(names, 'a key that nobody sent').toContain(key)

    const okAnswers = (kind: string) =>
      facts.answers.flatMap((row) => (row.kind === kind && 'ok' in row.outcome ? [row.outcome.ok] : []))
    const references = (kind: string) =>
      facts.entries.filter((entry) => entry.kind === kind).map((entry) => entry.reference)
    const swaps = okAnswers('swap').map((answer) => (answer as { transaction_id: string }).transaction_id)
    expectSame(references('swap'), swaps)
    expectSame(facts.swapOrders, swaps)
    expect(facts.trades).toBe(swaps.length)
    expectSame(
      facts.depositOrders,
      okAnswers('order_deposit').map((answer) => (answer as { orderId: string }).orderId),
    )
    expectSame(references('activation'), facts.activated)
    const credited = this.issued.flatMap((step) => (step.do === 'credit' && step.block <= facts.block ? [step] : []))
    expectSame(
      facts.deposits,
      credited.flatMap((step) => step.deposits.map((_, index) => depositId(step.block, index))),
    )
    expectSame(
      [...references('deposit'), ...references('operator_deposit')],
      credited.flatMap((step) => step.deposits.map((_, index) => `0xtx-${step.block}-${index}`)),
    )
    for (const step of this.issued) {
      if (step.do === 'credit' && this.#answers.has(step.name)) expect(credited).toContain(step)
    }
    expect(references('pool_liquidity').length).toBeLessThanOrEqual(1)
  }

  /** In the end the ledger is what the same commands come to without a writer, a database or a kill. */
  async expectEqualToReplay(): Promise<void> {
    const server = startServer(undefined)
    await server.next('ready')
    const facts = await server.ask({ kind: 'facts' }, 'facts')
    server.send({ kind: 'close' })
    await server.ended
    this.#check(facts)
    const expected = replay(this.issued)
    const balances = new Map(facts.balances.map((row) => [`${row.account} ${row.asset}`, row.units]))
    expect(balances).toEqual(expected.balances)
    for (const [name, outcome] of this.#answers) {
      expect(withoutIds(outcome), name).toEqual(withoutIds(expected.outcomes.get(name)))
    }
    expect(facts.swapOrders).toHaveLength(expected.rows.get('swap_orders')?.size ?? 0)
    expect(facts.depositOrders).toHaveLength(expected.rows.get('deposit_orders')?.size ?? 0)
    expectSame(facts.deposits, [...(expected.rows.get('deposits')?.keys() ?? [])])
    expectSame(
      facts.activated,
      Array.from({ length: this.#round }, (_, index) => userId(index + 1)),
    )
  }
}

function startServer(killAtOpening: string | undefined) {
  const child = fork(join(import.meta.dirname, 'kill-child.ts'), [where, killAtOpening ?? ''], {
    serialization: 'advanced',
    // PGlite lives for a second: optimising its code costs more than it brings.
    execArgv: ['--liftoff-only'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  children.add(child)
  let stdout = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      children.delete(child)
      resolve({ code, signal })
    })
  })
  let onAnswer: (name: string, outcome: StepOutcome) => void = () => {}
  let failure: unknown
  const arrived = new Map<FromChild['kind'], (message: FromChild) => void>()
  child.on('message', (message: FromChild) => {
    if (message.kind !== 'answer') return arrived.get(message.kind)?.(message)
    try {
      onAnswer(message.name, message.outcome)
    } catch (error) {
      failure ??= error
    }
  })
  /** The next message of a kind, or `undefined` when the process is killed before it comes. */
  function next<Kind extends FromChild['kind']>(kind: Kind): Promise<Extract<FromChild, { kind: Kind }> | undefined> {
    return new Promise((resolve, reject) => {
      arrived.set(kind, (message) => {
        if (failure) reject(failure)
        else resolve(message as Extract<FromChild, { kind: Kind }>)
      })
      ended.then(({ code, signal }) => {
        if (failure) reject(failure)
        else if (signal === 'SIGKILL') resolve(undefined)
        else reject(new Error(`the process ended with code ${code}, signal ${signal}\n${stdout}`))
      }, reject)
    })
  }
  return {
    ended,
    next,
    killedAt: ended.then(() => /^killed (.*)$/m.exec(stdout)?.[1]),
    send: (message: ToChild) => void child.send(message),
    onAnswer(listener: typeof onAnswer) {
      onAnswer = listener
    },
    async ask<Kind extends FromChild['kind']>(message: ToChild, kind: Kind) {
      const answer = next(kind)
      child.send(message)
      const given = await answer
      if (!given) throw new Error(`the process was killed before it answered ${kind}`)
      return given
    },
  }
}

function expectSame(actual: readonly string[], expected: readonly string[]): void {
  expect(actual.toSorted()).toEqual(expected.toSorted())
}

/** Ids are random, so a replay has others. */
function withoutIds(outcome: StepOutcome | undefined): unknown {
  return JSON.parse(JSON.stringify(outcome), (key, value) =>
    key === 'transaction_id' || key === 'orderId' ? 'an id' : value,
  )
}

function depositId(block: number, index: number): string {
  return `31337:0xtx-${block}-${index}:${index}`
}

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-kill-'))
  await copyMigratedPglite(join(folder, 'pglite'), MIGRATIONS)
  return { where: join(folder, 'pglite'), cleanUp: () => rm(folder, { recursive: true, force: true }) }
}

async function newPostgres() {
  const { url, drop } = await newTestPostgres()
  const db = await openPostgresDatabase(url, { maxConnections: 1 })
  await migrate(db, MIGRATIONS)
  await db.close()
  return { where: url, cleanUp: drop }
}

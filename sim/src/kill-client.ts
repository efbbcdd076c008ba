import { type ChildProcess, fork } from 'node:child_process'
import { expect } from 'vitest'
import { bundledProgram } from '../../scripts/bundle-programs.ts'
import type { Facts } from './kill-facts.ts'
import type { FromChild, ToChild } from './kill-messages.ts'
import { type Step, type StepOutcome, stepsOfRound, userId } from './kill-steps.ts'
import { replay } from './replay.ts'

/** How many commands that were acknowledged long ago each round repeats. */
const REPETITIONS = 3

const running = new Set<ChildProcess>()

/** Ends what a test that failed has left behind. */
export function endServers(): void {
  for (const child of running) child.kill('SIGKILL')
}

interface Round {
  readonly waves: [Step[], Step[]]
  /** Where to kill the process while it opens. */
  readonly opening?: string
  /** Where to kill it while it works. */
  readonly batch?: string
}

/** All the clients of a server in one: it stores responses, and repeats commands without one under their key. */
export class Client {
  rounds = 0
  /** Each command once, in the order in which it was first sent, which is the order in which it must take effect. */
  readonly issued: Step[] = []
  /** How often a command was sent again after its response, and how often a response was lost after the commit. */
  repeated = 0
  lostResponses = 0
  readonly #responses = new Map<string, StepOutcome>()
  /** Outcomes found in the database, acknowledged or not. */
  readonly #found = new Map<string, StepOutcome>()
  readonly #where: string
  #round = 0

  /** @param where a `postgres://` address or a data folder. */
  constructor(where: string) {
    this.#where = where
  }

  unacknowledged(): Step[] {
    return this.issued.filter((step) => !this.#responses.has(step.name))
  }

  nextWaves(): [Step[], Step[]] {
    const again = this.unacknowledged()
    const acknowledged = this.issued.filter((step) => this.#responses.has(step.name) && step.do !== 'credit')
    const repeated = Array.from(
      { length: Math.min(REPETITIONS, acknowledged.length) },
      (_, index) => acknowledged[(this.rounds * 7 + index * 13) % acknowledged.length] as Step,
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
    const server = startServer(await bundledProgram('kill'), this.#where, opening)
    const ready = await server.next('ready')
    if (!ready) return { killedAt: await server.killedAt, opening: [], passed: [] }
    this.#check(await server.ask({ kind: 'facts' }, 'facts'))

    // The watcher goes on from its cursor, so it does not send again what is credited.
    const toSend = waves.map((wave) => wave.filter((step) => step.do !== 'credit' || !this.#responses.has(step.name)))
    server.onResponse((name, outcome) => this.#take(name, outcome))
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
    const before = this.#responses.get(name)
    if (before) this.repeated++
    expect(outcome, `${name} answered once more`).toEqual(before ?? outcome)
    this.#responses.set(name, outcome)
  }

  /** Checks the facts that hold after every start of the server. */
  #check(facts: Facts): void {
    expect(facts.faults).toEqual([])
    for (const step of this.issued) {
      if (step.do === 'credit' && step.block <= facts.block && !this.#responses.has(step.name)) {
        this.lostResponses++
        this.#responses.set(step.name, {
          ok: {
            credited: step.deposits.map((_, index) => depositId(step.block, index)),
            completed: [],
            unknown: [],
            stranded: [],
          },
        })
      }
    }
    const stored = new Map(facts.responses.map((row) => [row.key, row.outcome]))
    for (const [key, outcome] of this.#found) expect(stored.get(key), `${key} once found`).toEqual(outcome)
    for (const [key, outcome] of stored) {
      if (!this.#found.has(key) && !this.#responses.has(key)) this.lostResponses++
      this.#found.set(key, outcome)
    }
    const keyed = this.issued.filter((step) => step.do !== 'credit' && step.do !== 'open_pool')
    for (const { name } of keyed) {
      const response = this.#responses.get(name)
      if (response) expect(stored.get(name), `${name} was acknowledged`).toEqual(response)
    }
    const names = new Set(keyed.map((step) => step.name))
    for (const key of stored.keys()) expect(names, 'a key that no client sent').toContain(key)

    const okResponses = (kind: string) =>
      facts.responses.flatMap((row) => (row.kind === kind && 'ok' in row.outcome ? [row.outcome.ok] : []))
    const references = (kind: string) =>
      facts.entries.filter((entry) => entry.kind === kind).map((entry) => entry.reference)
    const swaps = okResponses('swap').map((response) => (response as { transaction_id: string }).transaction_id)
    expectSame(references('swap'), swaps)
    expectSame(facts.swapOrders, swaps)
    expect(facts.trades).toBe(swaps.length)
    expectSame(
      facts.depositOrders,
      okResponses('order_deposit').map((response) => (response as { orderId: string }).orderId),
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
      if (step.do === 'credit' && this.#responses.has(step.name)) expect(credited).toContain(step)
    }
    expect(references('pool_liquidity').length).toBeLessThanOrEqual(1)
  }

  /** In the end the ledger is what the same commands come to without a writer, a database or a kill. */
  async expectEqualToReplay(): Promise<void> {
    const server = startServer(await bundledProgram('kill'), this.#where, undefined)
    await server.next('ready')
    const facts = await server.ask({ kind: 'facts' }, 'facts')
    server.send({ kind: 'close' })
    await server.ended
    this.#check(facts)
    const expected = replay(this.issued)
    const balances = new Map(facts.balances.map((row) => [`${row.account} ${row.asset}`, row.units]))
    expect(balances).toEqual(expected.balances)
    for (const [name, outcome] of this.#responses) {
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

function startServer(program: string, where: string, killAtOpening: string | undefined) {
  const child = fork(program, [where, killAtOpening ?? ''], {
    serialization: 'advanced',
    // PGlite lives for a second: optimising its code costs more than it brings.
    execArgv: ['--liftoff-only'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  running.add(child)
  let stdout = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal })
    })
  })
  let onResponse: (name: string, outcome: StepOutcome) => void = () => {}
  let failure: unknown
  const arrived = new Map<FromChild['kind'], (message: FromChild) => void>()
  child.on('message', (message: FromChild) => {
    if (message.kind !== 'response') return arrived.get(message.kind)?.(message)
    try {
      onResponse(message.name, message.outcome)
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
    onResponse(listener: typeof onResponse) {
      onResponse = listener
    },
    async ask<Kind extends FromChild['kind']>(message: ToChild, kind: Kind) {
      const response = next(kind)
      child.send(message)
      const given = await response
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

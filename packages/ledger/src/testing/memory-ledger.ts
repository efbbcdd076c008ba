import type { AnyWriterTable, Command, Plan, State } from '../command.ts'
import { Refusal } from '../refusal.ts'
import type { WriterTable } from '../table.ts'

/**
 * A ledger in memory that executes commands as the writer does, without a database: for tests that run many commands, and
 * those that need exact times and prices. Fails on entries that do not add up, on postings of zero, and on accounts below zero.
 */
export class MemoryLedger implements State {
  now: Date
  /** Each command that was executed, with its plan, the earliest first. */
  readonly executed: { readonly command: Command<unknown>; readonly plan: Plan<unknown> }[] = []
  readonly #balances = new Map<string, bigint>()
  readonly #rows = new Map<AnyWriterTable, Map<string, { readonly id: string }>>()
  #ids = 0

  constructor(now: Date) {
    this.now = now
  }

  balance(account: string, asset: string): bigint {
    return this.#balances.get(`${account} ${asset}`) ?? 0n
  }

  row<Row extends { readonly id: string }>(table: WriterTable<Row>, id: string): Row | undefined {
    return this.#rows.get(table)?.get(id) as Row | undefined
  }

  /** All rows of a table, or those of the ids in their order. */
  rows<Row extends { readonly id: string }>(table: WriterTable<Row>): Row[]
  rows<Row extends { readonly id: string }>(table: WriterTable<Row>, ids: readonly string[]): (Row | undefined)[]
  rows<Row extends { readonly id: string }>(table: WriterTable<Row>, ids?: readonly string[]): (Row | undefined)[] {
    return ids ? ids.map((id) => this.row(table, id)) : ([...(this.#rows.get(table)?.values() ?? [])] as Row[])
  }

  put<Row extends { readonly id: string }>(table: WriterTable<Row>, row: Row): void {
    const rows = this.#rows.get(table) ?? new Map()
    this.#rows.set(table, rows.set(row.id, row))
  }

  /** Adds money from outside, such as a deposit. */
  add(account: string, asset: string, units: bigint): void {
    this.#balances.set(`${account} ${asset}`, this.balance(account, asset) + units)
  }

  /** Sums the balances of an asset. Commands never change it. */
  total(asset: string): bigint {
    return [...this.#balances].reduce((sum, [key, units]) => (key.endsWith(` ${asset}`) ? sum + units : sum), 0n)
  }

  advance(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1_000)
  }

  /** Decides a command and changes nothing: for tests of what it would write. @throws Refusal of the command. */
  plan<Result>(command: Command<Result>): Plan<Result> {
    const number = ++this.#ids
    return command.decide(this, { now: this.now, id: (label) => `${label}-${number}` })
  }

  /** @throws Refusal of the command, which then changes nothing. */
  execute<Result>(command: Command<Result>): Result {
    const plan = this.plan(command)
    const { entries = [], rows = [], response } = plan
    for (const { kind, postings } of entries) {
      if (postings.length === 0) throw new Error(`${kind} has no postings`)
      for (const { account, asset, units } of postings)
        if (units === 0n) throw new Error(`${kind} posts zero ${asset} to ${account}`)
      for (const asset of new Set(postings.map((each) => each.asset))) {
        const sum = postings.reduce((total, each) => (each.asset === asset ? total + each.units : total), 0n)
        if (sum !== 0n) throw new Error(`${kind} does not add up: ${sum} ${asset}`)
      }
      for (const { account, asset, units } of postings) this.add(account, asset, units)
    }
    for (const { account, asset } of entries.flatMap(({ postings }) => postings)) {
      const units = this.balance(account, asset)
      if (units < 0n) throw new Error(`${account} ${asset} is below zero: ${units}`)
    }
    for (const { table, row } of rows) this.put(table, row)
    this.executed.push({ command, plan })
    return response
  }
}

/**
 * Runs a step that must be refused, such as `() => ledger.execute(command)`.
 *
 * @returns the name of the refusal and its data. The ledger is as it was before.
 * @throws Error if the step succeeds, and any error that is no refusal: a bug is not a refusal.
 */
export function refusalOf(step: () => unknown): { readonly refusal: string; readonly data: Refusal['data'] } {
  try {
    step()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { refusal: error.refusal, data: error.data }
  }
  throw new Error('expected a refusal, but the step succeeded')
}

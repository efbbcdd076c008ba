import { parseArgs } from 'node:util'
import { auditBooks } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres } from '../../scripts/postgres.ts'
import { endLater } from './clean-up.ts'
import { CALM_PRICE, LOANS_AT_RISK, LOW_PRICE, type LoanMarket, openLoanMarket } from './loan-market.ts'
import { machine } from './machine.ts'
import { formatTable } from './table.ts'
import { wholeNumber } from './whole-number.ts'

/** The most that a figure may grow from the small market to the large one. */
const LIMIT = 1.3
/** A price that no loan crosses. */
const CLOSE_PRICE = '599'

/** The steps of one round, in their order: one figure each. */
const STEPS: readonly { readonly what: string; run(market: LoanMarket): Promise<void> }[] = [
  { what: 'price change that no loan crosses', run: (market) => market.setPrice(CLOSE_PRICE) },
  { what: `price fall that ${LOANS_AT_RISK} loans cross`, run: (market) => market.setPrice(LOW_PRICE) },
  { what: `price rise that ${LOANS_AT_RISK} loans cross`, run: (market) => market.setPrice(CALM_PRICE) },
  { what: 'borrow', run: (market) => market.borrow() },
  { what: 'repay a part', run: (market) => market.repay() },
  { what: 'add collateral', run: (market) => market.addCollateral() },
  { what: 'pledge', run: (market) => market.pledge() },
  { what: 'read the market', run: (market) => market.readMarket() },
  { what: "read a user's orders", run: (market) => market.readOrders() },
]

interface Figure {
  readonly what: string
  readonly smallMs: number
  readonly largeMs: number
}

/**
 * Measures how long a price change and each command take with few and with many open loans: two markets side by side, in turn,
 * on the server's own commands, writer and queries. The same number of loans crosses a limit in both.
 */
export async function benchLoans(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: 'string', default: '1000' },
      large: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '60' },
      only: { type: 'string' },
    },
  })
  const sizes = { small: wholeNumber('--small', values.small), large: wholeNumber('--large', values.large) }
  const rounds = wholeNumber('--rounds', values.rounds)
  const { only } = values
  if (only !== undefined && only !== 'pglite' && only !== 'postgres') throw new Error('--only is pglite or postgres')
  console.log(`${machine()} Bench and database share the machine.`)
  if (only !== 'pglite') await onPostgres(sizes, rounds)
  if (only !== 'postgres') await measure('PGlite', { open: () => openPgliteDatabase(), ...sizes, rounds })
}

async function onPostgres(sizes: { readonly small: number; readonly large: number }, rounds: number): Promise<void> {
  if (!findPostgres()) {
    console.log(`PostgreSQL is not installed, so there is no figure on it. ${HOW_TO_GET_POSTGRES}`)
    return
  }
  const postgres = await startPostgres({ fsync: true, settings: { max_wal_size: '4GB', shared_buffers: '512MB' } })
  endLater(postgres.stop)
  let made = 0
  const open = async () => {
    const url = new URL(postgres.url)
    const admin = await openPostgresDatabase(url.href, { maxConnections: 1 })
    const name = `loans_${++made}`
    await admin.script(`create database ${name}`)
    await admin.close()
    url.pathname = `/${name}`
    return openPostgresDatabase(url.href, { maxConnections: 4, maxQueryMs: 600_000 })
  }
  await measure('PostgreSQL, fsync on', { open, ...sizes, rounds })
  await postgres.stop()
}

async function measure(
  database: string,
  options: { open(): Promise<Database>; readonly small: number; readonly large: number; readonly rounds: number },
): Promise<void> {
  const { open, small, large, rounds } = options
  console.log(`… ${database}: opening ${small} and ${large} loans`)
  const [smallDb, largeDb] = [await open(), await open()]
  const markets = [await openLoanMarket(smallDb, small), await openLoanMarket(largeDb, large)] as const
  console.log(`… ${database}: ${rounds} rounds`)
  const figures: Figure[] = []
  const times = STEPS.map(() => [[], []] as [number[], number[]])
  for (let round = 0; round < rounds; round++)
    for (const [index, { run }] of STEPS.entries())
      await inTurn(markets, run, round, times[index] as [number[], number[]])
  for (const [index, { what }] of STEPS.entries()) figures.push(figureOf(what, times[index] as [number[], number[]]))

  // Each liquidation ends a loan at risk, so they come last.
  const liquidations: [number[], number[]] = [[], []]
  for (const market of markets) await market.setPrice(LOW_PRICE)
  for (let round = 0; round < LOANS_AT_RISK; round++)
    await inTurn(markets, (market) => market.liquidate(), round, liquidations)
  figures.push(figureOf('liquidate', liquidations))
  for (const db of [smallDb, largeDb]) {
    const faults = await auditBooks(db)
    if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
  }
  for (const market of markets) await market.close()
  printTable(database, { small, large }, figures)
}

/** Runs a step in both markets, in alternating order. */
async function inTurn(
  markets: readonly [LoanMarket, LoanMarket],
  run: (market: LoanMarket) => Promise<void>,
  round: number,
  times: readonly [number[], number[]],
): Promise<void> {
  for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
    const startedMs = performance.now()
    await run(markets[index])
    times[index].push(performance.now() - startedMs)
  }
}

function figureOf(what: string, [small, large]: readonly [number[], number[]]): Figure {
  return { what, smallMs: medianOf(small), largeMs: medianOf(large) }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function printTable(
  database: string,
  { small, large }: { readonly small: number; readonly large: number },
  figures: readonly Figure[],
): void {
  const rows = figures.map(({ what, smallMs, largeMs }) => {
    const ratio = largeMs / smallMs
    return [what, smallMs.toFixed(2), largeMs.toFixed(2), `${ratio.toFixed(2)} ×`, ratio <= LIMIT ? 'within' : 'beyond']
  })
  const head = [`${database}, median ms`, `${small} loans`, `${large} loans`, 'ratio', `limit ${LIMIT} ×`]
  console.log(`\n${formatTable([head, ...rows])}\n`)
}

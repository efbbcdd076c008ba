import { parseArgs } from 'node:util'
import { auditBooks } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { formatTable } from '../../scripts/format-table.ts'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres } from '../../scripts/postgres.ts'
import type { Bench } from './bench.ts'
import { endLater } from './clean-up.ts'
import { threadCpuMs } from './cpu.ts'
import { measureDueLoans } from './due-loans.ts'
import { CALM_PRICE, LOANS_AT_RISK, LOW_PRICE, type LoanMarket, openLoanMarket } from './loan-market.ts'
import { machine } from './machine.ts'
import { meansOf, openNewDatabase, type PairFigure, printRatios, timeInTurn } from './size-pair.ts'
import { wholeNumber } from './whole-number.ts'

/** Both databases hold the large market in their buffers, so that the figures are of the work. */
const BUFFER_MB = 512
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

export default {
  about:
    'time of a price change and of each command with few and with many open loans, on both databases (--small 1000, --large 100000, --rounds 60, --only pglite)',
  run: benchLoans,
} satisfies Bench

/**
 * Measures how long a price change and each command take with few and with many open loans: two markets side by side, in turn,
 * on the server's own commands, writer and queries. The same number of loans crosses a limit in both.
 */
async function benchLoans(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: 'string', default: '1000' },
      large: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '200' },
      due: { type: 'string', default: '100000' },
      only: { type: 'string' },
    },
  })
  const sizes = { small: wholeNumber('--small', values.small), large: wholeNumber('--large', values.large) }
  const rounds = wholeNumber('--rounds', values.rounds)
  const due = values.due === '0' ? 0 : wholeNumber('--due', values.due)
  const { only } = values
  if (only !== undefined && only !== 'pglite' && only !== 'postgres') throw new Error('--only is pglite or postgres')
  console.log(`${machine()} Bench and database share the machine.`)
  if (only !== 'pglite') await onPostgres(sizes, rounds, due)
  if (only === 'postgres') return
  await measure('PGlite', { open: () => openPgliteDatabase(undefined, { bufferMb: BUFFER_MB }), ...sizes, rounds })
  await measureDue('PGlite', await openPgliteDatabase(), due)
}

async function onPostgres(
  sizes: { readonly small: number; readonly large: number },
  rounds: number,
  due: number,
): Promise<void> {
  if (!findPostgres()) {
    console.log(`PostgreSQL is not installed, so there is no figure on it. ${HOW_TO_GET_POSTGRES}`)
    return
  }
  const settings = { max_wal_size: '4GB', shared_buffers: `${BUFFER_MB}MB` }
  const postgres = await startPostgres({ fsync: true, settings })
  endLater(postgres.stop)
  let made = 0
  const open = () => openNewDatabase(postgres.url, `loans_${++made}`)
  await measure('PostgreSQL, fsync on', { open, ...sizes, rounds })
  await measureDue('PostgreSQL, fsync on', await open(), due)
  await postgres.stop()
}

/** The longest time from the moment of an order to its notice on the stream, and the longest hold of the writer. */
const [LATE_LIMIT_MS, HOLD_LIMIT_MS] = [5_000, 20]

/** Prints how late notices are when many orders fall due in one minute. Nothing is measured for zero orders. */
async function measureDue(database: string, db: Database, loans: number): Promise<void> {
  if (loans > 0) {
    console.log(`… ${database}: ${loans} orders fall due in one minute`)
    const { lateMs, holdMs, decideMs, work, collectedMs, processorMs } = await measureDueLoans(db, loans)
    const row = (what: string, values: readonly number[], limit?: number) => {
      const sorted = values.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
      const worst = sorted.at(-1) ?? 0
      const verdict = limit === undefined || Number.isNaN(worst) ? '' : worst <= limit ? 'within' : 'beyond'
      return [what, ...[at(0.5), at(0.99), worst].map((ms) => ms.toFixed(1)), verdict]
    }
    const head = [`${database}, ${loans} orders, ms`, 'median', 'p99', 'worst', 'limit']
    const late = row(`notice on the stream, limit ${LATE_LIMIT_MS}`, lateMs, LATE_LIMIT_MS)
    const hold = row(`hold of the writer, limit ${HOLD_LIMIT_MS}`, holdMs, HOLD_LIMIT_MS)
    const calmMs = holdMs.map((ms, index) => ms - (collectedMs[index] ?? 0))
    const decide = row('its part until the first statement of writing', decideMs)
    const calm = row('the hold without collections of garbage', calmMs)
    const workMs = work.map(({ threadMs, connectionsMs }) => threadMs + connectionsMs)
    const processor = row(`processor time of the hold, limit ${HOLD_LIMIT_MS}`, workMs, HOLD_LIMIT_MS)
    const thread = row(
      'its part of this thread',
      work.map(({ threadMs }) => threadMs),
    )
    console.log(`\n${formatTable([head, late, hold, decide, calm, processor, thread])}\n`)
    const beyond = (values: readonly number[]) => values.filter((ms) => ms > HOLD_LIMIT_MS).length
    const longest = 1 + workMs.indexOf(Math.max(...workMs))
    console.log(
      `${beyond(holdMs)} of ${holdMs.length} holds were longer, ${beyond(calmMs)} of them also without collections of garbage. ` +
        `${beyond(workMs)} took more processor time than that, hold ${longest} the most. ` +
        `One order took ${processorMs.toFixed(3)} ms of this process.\n`,
    )
  }
  await db.close()
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
  // A database in this process shares its thread. Time by the clock would count what else the machine does.
  const isHere = smallDb.kind === 'pglite'
  const nowMs = isHere ? threadCpuMs : undefined
  const figures: PairFigure[] = STEPS.map(({ what }) => ({ what, times: [[], []] }))
  for (let round = 0; round < rounds; round++)
    for (const [index, { run }] of STEPS.entries())
      await timeInTurn(markets, { run, round, times: (figures[index] as PairFigure).times, nowMs })

  // Each liquidation ends a loan at risk, so they come last.
  const liquidations: PairFigure = { what: 'liquidate', times: [[], []] }
  for (const market of markets) await market.setPrice(LOW_PRICE)
  for (let round = 0; round < LOANS_AT_RISK; round++)
    await timeInTurn(markets, { run: (market) => market.liquidate(), round, times: liquidations.times, nowMs })
  for (const db of [smallDb, largeDb]) {
    const faults = await auditBooks(db)
    if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
  }
  for (const market of markets) await market.close()
  const all = [...figures, liquidations]
  const title = isHere ? `${database}, processor time` : database
  printRatios(title, [`${small} loans`, `${large} loans`], isHere && rounds >= 20 ? all.map(meansOf) : all)
}

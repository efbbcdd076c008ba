import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { addDays, boundsOfDay } from '@clearwell/rules/hong-kong-day'
import { oldestUnfinishedDay } from '@clearwell/server/src/features/blind-box/box-day.store.ts'
import { advanceRounds } from '@clearwell/server/src/features/blind-box/box-jobs.ts'
import { dueRound } from '@clearwell/server/src/features/blind-box/box-rounds.store.ts'
import { advanceDays } from '@clearwell/server/src/features/blind-box/close-day.ts'
import { formatTable } from '../../scripts/format-table.ts'
import type { Bench } from './bench.ts'
import { type BoxDays, FIRST_DAY, openBoxDays } from './box-days.ts'
import { machine } from './machine.ts'
import { wholeNumber } from './whole-number.ts'

/** The most that the cost per box may grow from the small day to the large one. */
const RATIO_LIMIT = 1.3
/** The longest time that one command or step may hold the writer. */
const HELD_LIMIT_MS = 20
/** The most that the process may grow while it closes a day. */
const GROWTH_LIMIT_MB = 128
const MB = 1_048_576
/** Small days that are measured: one alone is two steps a phase. */
const SMALL_DAYS = 20
/** The first day of each ledger warms the code up. Its rewards are claimed beside the others. */
const FIRST_BOXES = 1_000
/** One of this many steps has a claim beside it. */
const CLAIM_EVERY = 10
/** The phases whose steps can have a claim beside them. */
const WITH_CLAIMS: ReadonlySet<string> = new Set(['closed', 'seeded', 'drawn', 'announce'])
/** Claims without a step beside them. */
const CLAIMS_ALONE = 50
/** Boxes of the large day that are announced, reminded of and returned. */
const FOLLOWED = 20_000

const GROWING = {
  closed: 'tree and root',
  seeded: 'draws',
  drawn: 'rewards',
  announce: 'announce',
  remind: 'remind',
  expire: 'return after 30 days',
} as const
const FIXED = { open: 'close clicks', rooted: 'find the block', mined: 'publish the seed', shared: 'divide' } as const

/** Times of steps or commands of one kind, in ms of processor time. */
interface Times {
  readonly all: number[]
  ms: number
  boxes: number
}

/** The figures of one ledger. PGlite runs in this thread, so the times of the thread are those of both. */
class Figures {
  readonly steps = new Map<string, Times>()
  readonly commands = new Map<string, Times>()
  /** Queries and transactions, by the phase of their step. */
  readonly holds = new Map<string, Times>()
  /** Waits of claims beside a step, in ms of real time. */
  readonly waits: number[] = []
  growthMb = 0
}

export default {
  about:
    'cost of a box at the close of a day of 1,000 and of 1,000,000 boxes, memory, and the longest time that a command holds the writer (--small 1000, --large 1000000)',
  run: benchDay,
} satisfies Bench

/** Closes days of a thousand and of a million boxes with the server's own code, and compares the costs of a box. */
async function benchDay(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { small: { type: 'string', default: '1000' }, large: { type: 'string', default: '1000000' } },
  })
  const sizes = [wholeNumber('--small', values.small), wholeNumber('--large', values.large)] as const
  console.log(`${machine()} PGlite in this process, with a folder.`)
  const small = await measure(sizes[0], SMALL_DAYS)
  const large = await measure(sizes[1], 1)
  const columns = sizes.map((size) => `${size} boxes`)
  console.log(`\n${formatTable(costRows(columns, small, large))}\n`)
  console.log(`${formatTable(fixedRows(columns, small, large))}\n`)
  console.log(`${formatTable(limitRows(columns, small, large))}\n`)
}

async function measure(size: number, days: number): Promise<Figures> {
  console.log(`… filling ${days} days of ${size} boxes`)
  const run = new Run()
  const sizes = [FIRST_BOXES, ...Array.from({ length: days }, () => size)]
  const world = await openBoxDays(sizes, run.watch)
  await run.closeDay(world, 0)
  console.log('… closing')
  run.begin()
  for (let index = 1; index <= days; index++) await run.closeDay(world, index)
  for (let claim = 0; claim < CLAIMS_ALONE; claim++) await world.claim()
  world.goTo(boundsOfDay(addDays(FIRST_DAY, days + 33)).opensAt)
  await run.followDays(world)
  await world.end()
  return run.figures
}

/** One run through the days of a ledger. */
class Run {
  figures = new Figures()
  #steps = 0
  #claims = 0
  #isBeside = false
  #phase = ''
  #handled = 0
  #baseMb = Number.POSITIVE_INFINITY

  /** Forgets the figures of the first day. */
  begin(): void {
    this.figures = new Figures()
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    this.#baseMb = process.memoryUsage.rss() / MB
  }

  /** Times a command of the feature or a use of its database, unless a step and a claim run beside each other. */
  readonly watch = async <Result>(kind: string, run: () => Promise<Result>): Promise<Result> => {
    if (this.#isBeside) return run()
    const startedMs = processorMs()
    const result = await run()
    const ms = processorMs() - startedMs
    if (kind === 'database') add(this.figures.holds, this.#phase, ms, 0)
    else add(this.figures.commands, kind, ms, 0)
    return result
  }

  async closeDay(world: BoxDays, index: number): Promise<void> {
    const day = addDays(FIRST_DAY, index)
    const { opensAt, closesAt } = boundsOfDay(day)
    world.goTo(opensAt)
    await world.earn()
    // Publishes the commitments of the next days.
    await advanceDays(world.close)
    world.goTo(new Date(closesAt.getTime() + 1_000))
    for (;;) {
      const row = await oldestUnfinishedDay(world.db)
      if (row?.day !== day) break
      const progress = await this.#step(world, row.phase, () => advanceDays(world.close))
      if (progress === 'waiting') world.pass()
    }
    await this.followDays(world)
  }

  /** Does what is due for the boxes of divided days. */
  async followDays(world: BoxDays): Promise<void> {
    const done = new Map<string, number>()
    for (;;) {
      const round = await dueRound(world.db, world.follow.clock.now())
      if (!round) return
      const { day, kind } = round
      const before = done.get(`${day} ${kind}`) ?? 0
      if (before >= FOLLOWED) {
        await world.db.query('update box_rounds set done_at = due_at where day = $1 and kind = $2', [day, kind])
        continue
      }
      const handled = this.#handled
      await this.#step(world, day === FIRST_DAY ? 'first day' : kind, () => advanceRounds(world.follow))
      done.set(`${day} ${kind}`, before + this.#handled - handled)
    }
  }

  /** Does a step: a tenth of them with a claim beside, the others alone and timed. */
  async #step<Result>(world: BoxDays, phase: string, step: () => Promise<Result>): Promise<Result> {
    this.#phase = phase
    this.#isBeside =
      world.follow.clock.now() > boundsOfDay(addDays(FIRST_DAY, 1)).closesAt &&
      WITH_CLAIMS.has(phase) &&
      ++this.#steps % CLAIM_EVERY === 0 &&
      this.#claims < FIRST_BOXES - CLAIMS_ALONE
    const startedMs = processorMs()
    const claim = this.#isBeside ? this.#claimBeside(world) : undefined
    const result = await step()
    const boxes = world.takeHandled()
    this.#handled += boxes
    if (!claim) add(this.figures.steps, phase, processorMs() - startedMs, boxes)
    await claim
    this.#isBeside = false
    this.figures.growthMb = Math.max(this.figures.growthMb, process.memoryUsage.rss() / MB - this.#baseMb)
    return result
  }

  async #claimBeside(world: BoxDays): Promise<void> {
    this.#claims += 1
    const startedMs = performance.now()
    await world.claim()
    this.figures.waits.push(performance.now() - startedMs)
  }
}

/** Processor time of this thread so far: it does not grow while other processes have the processors. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function add(to: Map<string, Times>, kind: string, ms: number, boxes: number): void {
  const times = to.get(kind) ?? { all: [], ms: 0, boxes: 0 }
  times.all.push(ms)
  to.set(kind, { ...times, ms: times.ms + ms, boxes: times.boxes + boxes })
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
}

function costRows(columns: readonly string[], small: Figures, large: Figures): string[][] {
  const rows = Object.entries(GROWING).map(([phase, what]) => {
    const [a, b] = [small, large].map(({ steps }) => perBoxUs(steps.get(phase))) as [number, number]
    const ratio = b / a
    return [what, a.toFixed(1), b.toFixed(1), `${ratio.toFixed(2)} ×`, ratio <= RATIO_LIMIT ? 'within' : 'beyond']
  })
  return [['µs per box', ...columns, 'ratio', `limit ${RATIO_LIMIT} ×`], ...rows]
}

function perBoxUs(times: Times | undefined): number {
  return times ? (times.ms * 1_000) / times.boxes : Number.NaN
}

function fixedRows(columns: readonly string[], small: Figures, large: Figures): string[][] {
  const rows = Object.entries(FIXED).map(([phase, what]) => {
    const [a, b] = [small, large].map(({ steps }) => steps.get(phase))
    return [what, ...[a, b].map((times) => (times ? (times.ms / times.all.length).toFixed(1) : '-'))]
  })
  return [['ms per step, once a day', ...columns], ...rows]
}

function limitRows(columns: readonly string[], small: Figures, large: Figures): string[][] {
  const both = [small, large]
  const held = (what: string, times: readonly (Times | undefined)[]) => {
    const values = times.flatMap((each) => [0.99, 1].map((part) => quantile(each?.all ?? [], part)))
    return [
      what,
      ...values.map((ms) => ms.toFixed(1)),
      `${HELD_LIMIT_MS}`,
      Math.max(...values) <= HELD_LIMIT_MS ? 'within' : 'beyond',
    ]
  }
  const commands = [...new Set(both.flatMap((each) => [...each.commands.keys()]))].map((kind) =>
    held(
      `command ${kind}`,
      both.map((each) => each.commands.get(kind)),
    ),
  )
  const steps = Object.entries({ ...GROWING, ...FIXED }).map(([phase, what]) =>
    held(
      `database: ${what}`,
      both.map((each) => each.holds.get(phase)),
    ),
  )
  const waits = both.flatMap((each) => [0.99, 1].map((part) => quantile(each.waits, part).toFixed(1)))
  const growth = both.map(({ growthMb }) => growthMb)
  const isBounded = Math.max(...growth) <= GROWTH_LIMIT_MB
  return [
    ['writer held, ms', ...columns.flatMap((size) => [`p99, ${size}`, 'longest']), 'limit', ''],
    ...commands,
    ...steps,
    ['wait of a claim beside a step, real time', ...waits, '', ''],
    [
      'growth of the process, MB',
      ...growth.flatMap((mb) => ['', mb.toFixed(1)]),
      `${GROWTH_LIMIT_MB}`,
      isBounded ? 'within' : 'beyond',
    ],
  ]
}

import { parseArgs } from 'node:util'
import { formatTable } from '../../../scripts/format-table.ts'
import { wholeNumber } from '../whole-number.ts'
import { type Result, summarize } from './statistics.ts'
import { STRATEGIES } from './strategies.ts'
import type { Strategy } from './strategy.ts'

/**
 * Runs every strategy of the attacker against honest users, on the rules and commands of the server, and prints what it
 * gained. Exits with 1 where a strategy gained more than its bound.
 */
export function simEconomy(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      markdown: { type: 'boolean', default: false },
    },
  })
  const chosen = STRATEGIES.filter(({ name }) => name.includes(values.only))
  if (chosen.length === 0) throw new Error(`there is no strategy with "${values.only}" in its name`)
  const [runs, seed] = [wholeNumber('--runs', values.runs), wholeNumber('--seed', values.seed)]
  const each = Math.max(1, Math.ceil(runs / chosen.length))
  console.log(`${chosen.length} strategies, ${each} runs each, from seed ${seed}. Gains in USDT.`)
  const startedMs = performance.now()
  const results = chosen.map((strategy) => {
    const sinceMs = performance.now()
    const result = runStrategy(strategy, { runs: each, seed })
    const seconds = ((performance.now() - sinceMs) / 1_000).toFixed(1)
    console.log(`… ${strategy.name}: ${verdictOf(result)} (${seconds} s)`)
    return result
  })
  console.log(`\n${values.markdown ? markdownOf(results) : describeResults(results)}`)
  const broken = results.filter(({ holds }) => !holds)
  const took = ((performance.now() - startedMs) / 1_000).toFixed(0)
  console.log(`\n${each * chosen.length} runs in ${took} s; ${broken.length} of ${results.length} bounds broken.`)
  if (broken.length > 0) process.exitCode = 1
}

/** @throws Error with the seed of the run that failed. */
export function runStrategy(
  strategy: Strategy,
  { runs, seed }: { readonly runs: number; readonly seed: number },
): Result {
  return summarize(
    strategy,
    Array.from({ length: runs }, (_, index) => {
      const runSeed = seed * 1_000_003 + index
      try {
        return strategy.run(runSeed)
      } catch (error) {
        throw new Error(`${strategy.name}, run ${index} of seed ${seed}`, { cause: error })
      }
    }),
  )
}

function describeResults(results: readonly Result[]): string {
  const rows = results.map(({ strategy, runs, mean, margin, worst, bound, holds }) => [
    strategy.name,
    strategy.capital,
    String(runs),
    usdt(mean),
    Number.isFinite(margin) ? `±${usdt(margin)}` : '',
    usdt(worst),
    bound === 0 ? '0' : usdt(bound),
    strategy.holds === 'mean' ? 'mean' : 'every run',
    verdictOf({ holds }),
  ])
  const head = ['strategy', 'capital', 'runs', 'mean gain', '99%', 'worst', 'bound', 'of', 'verdict']
  return formatTable([head, ...rows])
}

/** `BROKEN`: the strategy gains more than its bound. */
function verdictOf({ holds }: Pick<Result, 'holds'>): 'holds' | 'BROKEN' {
  return holds ? 'holds' : 'BROKEN'
}

/** The table of docs/concepts/economy.md. */
function markdownOf(results: readonly Result[]): string {
  const rows = results.map((result) => {
    const { strategy, mean, margin, worst, bound } = result
    const found = Number.isFinite(margin) && margin >= 0.005 ? `${usdt(mean)} ± ${usdt(margin)}` : usdt(mean)
    const allowed = bound === 0 ? '0' : `${strategy.bound}: ${usdt(bound)}`
    const of = strategy.holds === 'mean' ? ' (mean)' : ''
    return `| \`${strategy.name}\` | ${strategy.about} | ${strategy.capital} | ${found} | ${usdt(worst)} | ${allowed}${of} | ${verdictOf(result)} |`
  })
  const head = '| strategy | the attacker … | capital | mean gain | highest | bound | verdict |'
  return [head, '|---|---|---|---|---|---|---|', ...rows].join('\n')
}

/** Enough digits for small gains; a gain that rounds to nothing keeps its sign. */
function usdt(value: number): string {
  if (Math.abs(value) < 1e-6) return '0'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 0.01 ? 2 : 6
  return value.toFixed(digits)
}

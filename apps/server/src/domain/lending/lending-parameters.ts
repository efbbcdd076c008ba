import type { State } from '@clearwell/ledger/command'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import type { ValuesOf } from '../../config/config-part.ts'
import { cached } from '../../platform/time/cached.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { stakeConfig, stakeRules } from './stake-config.ts'

export type LendingConfig = ValuesOf<typeof stakeConfig.shape>['stake']

/** The rules of the lending market at a time. */
export interface LendingRules extends ReturnType<typeof stakeRules> {
  /** The number of the set. An order keeps the limits, the bonus and the least amounts of the set that it was opened under. */
  readonly version: number
}

/** The parameters of the lending market, each set from its effective time until the next one's. Numbered from 1. */
export const lendingParameters = defineWriterTable(
  'lending_parameters',
  forever("the record of the market's rules; a few rows a year"),
  {
    id: column.text,
    announced_at: column.time,
    effective_at: column.time,
    /** The key `stake` of the configuration, as JSON. */
    parameters: column.text,
  },
  { rowsAreFinal: true, carried: 'always' },
)
export type ParameterRow = RowOf<typeof lendingParameters>

/** A set of parameters. */
export interface ParameterSet {
  readonly version: number
  readonly announcedAt: Date
  readonly effectiveAt: Date
  readonly config: LendingConfig
  readonly rules: LendingRules
}

/** Returns the rules of a set. @throws Error for a number that no set has. */
export type TermsOf = (version: number) => LendingRules

export interface LendingParameters {
  /** The rules in force now. */
  rules(): Promise<LendingRules>
  /** The rules in force at a time, read in a transaction. */
  rulesAt(tx: Queryable, now: Date): Promise<LendingRules>
  /** The rules of each set: open orders keep those of their opening. */
  terms(): Promise<TermsOf>
  /** The set in force now, and those that are announced, in the order of their effect. */
  sets(): Promise<{ readonly now: ParameterSet; readonly announced: readonly ParameterSet[] }>
}

/** A change is announced long before its effect, so rows of a few seconds ago are good enough. */
const MAX_AGE_MS = 5_000

/**
 * Reads the parameters of the lending market.
 *
 * @param first the parameters of a ledger that has none yet: those of the configuration.
 */
export function createLendingParameters({
  db,
  clock,
  first,
}: {
  readonly db: Database
  readonly clock: Clock
  readonly first: LendingConfig
}): LendingParameters {
  const rows = cached({ read: () => readSets(db), maxAgeMs: MAX_AGE_MS, clock })
  const inForce = (all: readonly ParameterSet[], now: Date) =>
    all.findLast(({ effectiveAt }) => effectiveAt <= now) ?? setOfConfig(first, now)
  async function sets() {
    const all = await rows.get(undefined)
    const now = clock.now()
    return { now: inForce(all, now), announced: all.filter(({ effectiveAt }) => effectiveAt > now) }
  }
  return {
    sets,
    async terms() {
      const all = await rows.get(undefined)
      return (version) => {
        const set =
          all.find((each) => each.version === version) ?? (all.length === 0 ? inForce(all, clock.now()) : undefined)
        if (!set) throw new Error(`the lending market has no parameters ${version}`)
        return set.rules
      }
    },
    rules: async () => (await sets()).now.rules,
    rulesAt: async (tx, now) => inForce(await readSets(tx), now).rules,
  }
}

function setOfConfig(config: LendingConfig, now: Date): ParameterSet {
  return {
    version: 1,
    announcedAt: now,
    effectiveAt: now,
    config,
    rules: { ...stakeRules({ stake: config }), version: 1 },
  }
}

/**
 * Reads the rules of a set in a decision. Rows are final, so each is parsed once.
 *
 * @throws Error for a number that no set has: an order is always opened under a stored set.
 */
export function readTerms(state: State, version: number): LendingRules {
  const row = state.row(lendingParameters, String(version))
  if (!row) throw new Error(`the lending market has no parameters ${version}`)
  const known = parsed.get(row)
  if (known) return known
  const rules = { ...stakeRules({ stake: parseParameters(row.parameters) }), version }
  parsed.set(row, rules)
  return rules
}
const parsed = new WeakMap<ParameterRow, LendingRules>()

/** One row for each change by the operator, so their number stays small. */
async function readSets(db: Queryable): Promise<ParameterSet[]> {
  const rows = await db.query<ParameterRow>(
    `select ${lendingParameters.columns} from lending_parameters order by effective_at, id::integer`,
  )
  return rows.map(({ id, announced_at: announcedAt, effective_at: effectiveAt, parameters }) => {
    const config = parseParameters(parameters)
    const version = Number(id)
    return { version, announcedAt, effectiveAt, config, rules: { ...stakeRules({ stake: config }), version } }
  })
}

export function parseParameters(json: string): LendingConfig {
  return stakeConfig.shape.stake.parse(JSON.parse(json))
}

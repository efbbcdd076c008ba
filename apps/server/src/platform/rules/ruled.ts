import type { State } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { cached } from '../time/cached.ts'
import type { Clock } from '../time/clock.ts'
import type { Rule } from './rule.ts'
import { type RuleRow, readSchedule, rules } from './rules.tables.ts'
import { valueAt } from './schedule.ts'

/** The value of a rule that can change. */
export interface Ruled<Value> {
  /** The value by which a decision of this time decides, from the ledger's own state. */
  in(state: Pick<State, 'row'>, now: Date): Value
  /** The value in force now, for pages. */
  now(): Promise<Value>
}

/** The rules as every server of the ledger has them. */
export interface Rules<Config> {
  of<Value>(rule: Rule<Value, Config>): Ruled<Value>
  /** The stored row of each rule. */
  rows(): Promise<readonly RuleRow[]>
}

/** Announced changes start later, and one that starts immediately is seen within this time. */
const MAX_AGE_MS = 1_000

/** Reads rules from the database. A ledger that has none yet goes by the configuration. */
export function createRules<Config>({
  db,
  clock,
  config,
}: {
  readonly db: Database
  readonly clock: Clock
  readonly config: Config
}): Rules<Config> {
  const rows = cached({
    read: () => db.query<RuleRow>(`select ${rules.columns} from rules order by id`),
    maxAgeMs: MAX_AGE_MS,
    clock,
  })
  return {
    rows: () => rows.get(undefined),
    of(rule) {
      const first = rule.read(config)
      const inForce = (row: RuleRow | undefined, now: Date) => (row ? valueAt(readSchedule(rule, row), now) : first)
      return {
        in: (state, now) => inForce(state.row(rules, rule.key), now),
        now: async () =>
          inForce(
            (await rows.get(undefined)).find(({ id }) => id === rule.key),
            clock.now(),
          ),
      }
    },
  }
}

/** Derives a value from a rule's. */
export function mapRuled<From, To>(from: Ruled<From>, to: (value: From) => To): Ruled<To> {
  return {
    in: (state, now) => to(from.in(state, now)),
    now: async () => to(await from.now()),
  }
}

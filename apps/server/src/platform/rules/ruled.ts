import type { Command, State } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { cached } from '../time/cached.ts'
import type { Clock } from '../time/clock.ts'
import type { Rule } from './rule.ts'
import { type RuleRow, readSchedule, rules } from './rules.tables.ts'
import { valueAt } from './schedule.ts'

/** The value of a rule that can change. */
export interface Ruled<Value> {
  /** The value of a ledger that has none yet. */
  readonly first: Value
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
        first,
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
    first: to(from.first),
    in: (state, now) => to(from.in(state, now)),
    now: async () => to(await from.now()),
  }
}

/** A command that decides by the value in force. Only the decision of the command that is made may depend on the value. */
export function byRule<Value, Result>(ruled: Ruled<Value>, make: (value: Value) => Command<Result>): Command<Result> {
  const decide: Command<Result>['decide'] = (state, context) =>
    make(ruled.in(state, context.now)).decide(state, context)
  return { ...make(ruled.first), decide }
}

/** Two rules that a command goes by. */
export function bothRuled<One, Other>(one: Ruled<One>, other: Ruled<Other>): Ruled<readonly [One, Other]> {
  return {
    first: [one.first, other.first],
    in: (state, now) => [one.in(state, now), other.in(state, now)],
    now: () => Promise.all([one.now(), other.now()]),
  }
}

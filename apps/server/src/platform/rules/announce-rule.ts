import { type Command, write } from '@clearwell/ledger/command'
import * as z from 'zod/mini'
import { defineOperatorAction, type OperatorResult } from '../operator/operator-action.ts'
import type { AnyRule } from './rule.ts'
import { type RuleChangeRow, readSchedule, ruleChanges, ruleRow, rules } from './rules.tables.ts'
import { earliestStart, followingAt } from './schedule.ts'

/** Stores the values of the configuration for rules that have none. Changes nothing on one that has. */
export function storeFirstValues(all: readonly AnyRule[], config: unknown): Command<{ stored: readonly string[] }> {
  return {
    kind: 'first_rules',
    owner: 'rules',
    payload: {},
    preload: all.map(({ key }) => ({ table: rules, id: key })),
    decide(state, { now }) {
      const missing = all.filter(({ key }) => !state.row(rules, key))
      const rows = missing.map((rule) =>
        write(rules, ruleRow(rule, [{ value: rule.read(config), from: now, change: 0 }], 0)),
      )
      return { rows, response: { stored: missing.map(({ key }) => key) } }
    },
  }
}

const refused = (code: string, text: string): OperatorResult => ({ isDone: false, text: `${code}: ${text}` })

const announcement = z.strictObject({
  rule: z.string(),
  value: z.unknown(),
  /** Absent: the earliest time. */
  from: z.optional(z.iso.datetime()),
})

/** The actions that announce a change of a rule, and withdraw one before its start. */
export function ruleActions(all: readonly AnyRule[]) {
  return [announceRule(all), withdrawRule(all)] as const
}

/** A change that can worsen a user's position starts a week later at the earliest. */
function announceRule(all: readonly AnyRule[]) {
  return defineOperatorAction<z.output<typeof announcement>>({
    kind: 'announce_rule',
    role: ({ rule }) => roleOf(all, rule),
    payload: announcement,
    preload: ({ rule }) => [{ table: rules, id: rule }],
    decide(draft, { now }, { rule: key, value, from }) {
      const rule = all.find((each) => each.key === key)
      if (!rule) return refused('unknown_rule', `there is no rule ${key}`)
      const row = draft.row(rules, key)
      if (!row) return refused('no_first_value', 'no server has stored the first values yet: start one')
      const parsed = rule.schema.safeParse(value)
      const fault = parsed.success ? rule.fault?.(parsed.data) : z.prettifyError(parsed.error)
      if (!parsed.success || fault !== undefined) return refused('invalid_value', fault ?? 'not a value of the rule')
      const after: unknown = parsed.data
      const schedule = followingAt(readSchedule(rule, row), now)
      const before = schedule.at(-1)?.value
      if (JSON.stringify(before) === JSON.stringify(after)) return refused('unchanged', 'the rule has that value')
      const earliest = earliestStart(rule, schedule, { after, now })
      const start = from === undefined ? earliest.at : new Date(from)
      if (start < earliest.at)
        return refused('notice_too_short', `the earliest start of this change is ${earliest.at.toISOString()}`)
      const number = row.changes + 1
      const change: RuleChangeRow = {
        id: `${key}-${number}`,
        rule: key,
        old_value: JSON.stringify(before),
        new_value: JSON.stringify(after),
        announced_at: now,
        starts_at: start,
        withdrawn_at: null,
      }
      const next = [...schedule, { value: after, from: start, change: number }]
      draft.add({ rows: [write(rules, ruleRow(rule, next, number)), write(ruleChanges, change)] })
      return { isDone: true, text: describe(change, earliest) }
    },
  })
}

/** An unknown rule is refused later. */
function roleOf(all: readonly AnyRule[], key: string) {
  return all.find((each) => each.key === key)?.role ?? 'owner'
}

function describe(
  { id, old_value: before, new_value: after, starts_at: start }: RuleChangeRow,
  { worsens, at: earliest }: { readonly worsens: boolean; readonly at: Date },
): string {
  const effect = worsens ? 'It can worsen a position' : 'It worsens no position'
  return `${id} changes ${before} to ${after} at ${start.toISOString()}. ${effect}: its earliest start is ${earliest.toISOString()}.`
}

function withdrawRule(all: readonly AnyRule[]) {
  return defineOperatorAction<{ id: string }>({
    kind: 'withdraw_rule',
    role: ({ id }) => roleOf(all, id.replace(/-\d+$/, '')),
    payload: z.strictObject({ id: z.string() }),
    preload: ({ id }) => [{ table: ruleChanges, id }],
    decide(draft, { now }, { id }) {
      const change = draft.row(ruleChanges, id)
      const rule = change && all.find(({ key }) => key === change.rule)
      const row = change && draft.row(rules, change.rule)
      if (!change || !rule || !row) return refused('unknown_change', `no change ${id} was announced`)
      if (change.withdrawn_at) return refused('already_withdrawn', `${id} is withdrawn`)
      if (change.starts_at <= now) return refused('already_started', `${id} is in force: announce another value`)
      const number = Number(id.slice(change.rule.length + 1))
      const rest = readSchedule(rule, row).filter((each) => each.change !== number)
      draft.add({
        rows: [write(rules, ruleRow(rule, rest, row.changes)), write(ruleChanges, { ...change, withdrawn_at: now })],
      })
      return { isDone: true, text: `${id} is withdrawn.` }
    },
  })
}

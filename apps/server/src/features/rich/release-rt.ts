import { type Command, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { transfer } from '@clearwell/ledger/transfer'
import { addDays, type HongKongDay, parseHongKongDay } from '@clearwell/rules/hong-kong-day'
import { planRelease } from '@clearwell/rules/rich-release'
import { RT_EARNINGS, RT_PROGRAM } from '../../platform/ledger/accounts.ts'
import type { RichRules } from './rich.config.ts'
import { richProgram, richReleases } from './rich.tables.ts'
import { PROGRAM, readProgram } from './rich-books.ts'

/** Releases a day, and the days before it that were missed. A day that was released changes nothing. */
export function releaseRt(rules: RichRules, day: HongKongDay): Command<{ released: string }> {
  return {
    kind: 'release_rt',
    owner: 'rich',
    payload: { day },
    preload: [
      { table: richReleases, id: day },
      { table: richProgram, id: PROGRAM },
      { account: RT_PROGRAM, asset: 'RT' },
      { account: RT_EARNINGS, asset: 'RT' },
    ],
    decide(state, { now }) {
      const draft = new Draft(state)
      releaseThrough(draft, rules, { day, now })
      return draft.plan({ released: (draft.row(richReleases, day)?.released ?? 0n).toString() })
    },
  }
}

/**
 * Releases each day up to one that was not released yet, oldest first. A command that changes a weight does so before: then
 * the change counts for no earlier day, even where the job is late.
 */
export function releaseThrough(
  draft: Draft,
  rules: RichRules,
  { day: last, now }: { day: HongKongDay; now: Date },
): void {
  const { released_day: released } = readProgram(draft)
  const before = released === null ? undefined : parseHongKongDay(released)
  for (let day = before ? addDays(before, 1) : last; day <= last; day = addDays(day, 1))
    releaseOne(draft, rules, day, now)
}

/**
 * Releases one day to all accounts whose star was held for the whole of it: `rt_program` → `rt_earnings`. One sum changes for
 * all of them, so a release costs the same for any number of accounts.
 */
function releaseOne(draft: Draft, rules: RichRules, day: HongKongDay, now: Date): void {
  const program = readProgram(draft)
  const { weight, accounts } = program
  const remaining = draft.balance(RT_PROGRAM, 'RT')
  const { perWeight, released } = planRelease({ ...rules, remaining, weight })
  const indexAfter = program.release_index + perWeight
  const postings = transfer({ from: RT_PROGRAM, to: RT_EARNINGS, asset: 'RT', units: released })
  const row = { id: day, released_at: now, remaining, released, per_weight: perWeight, weight, accounts }
  draft.add({
    entries: released === 0n ? [] : [{ kind: 'rt_release', reference: day, postings }],
    rows: [
      write(richReleases, { ...row, index_after: indexAfter }),
      write(richProgram, {
        ...program,
        release_index: indexAfter,
        // Stars that passed on this day count from the next one on.
        weight: program.next_weight,
        released_day: day,
      }),
    ],
  })
}

import { type Command, write } from '@clearwell/ledger/command'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { planRelease } from '@clearwell/rules/rich-release'
import { RT_EARNINGS, RT_PROGRAM } from '../../platform/ledger/accounts.ts'
import type { RichRules } from './rich.config.ts'
import { richProgram, richReleases } from './rich.tables.ts'
import { PROGRAM, readProgram } from './rich-books.ts'

/**
 * Releases a day's part of the programme to all accounts with a star: `rt_program` → `rt_earnings`. One sum changes for all of
 * them, so a release costs the same for any number of accounts. A day that was released changes nothing.
 */
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
      const known = state.row(richReleases, day)
      if (known) return { response: { released: known.released.toString() } }
      const program = readProgram(state)
      const remaining = state.balance(RT_PROGRAM, 'RT')
      const { perWeight, released } = planRelease({ remaining, releaseBps: rules.releaseBps, weight: program.weight })
      const postings = [
        { account: RT_PROGRAM, asset: 'RT', units: -released },
        { account: RT_EARNINGS, asset: 'RT', units: released },
      ]
      const row = {
        id: day,
        released_at: now,
        remaining,
        released,
        per_weight: perWeight,
        weight: program.weight,
        accounts: program.accounts,
      }
      return {
        entries: released === 0n ? [] : [{ kind: 'rt_release', reference: day, postings }],
        rows: [
          write(richReleases, row),
          write(richProgram, { ...program, release_index: program.release_index + perWeight }),
        ],
        response: { released: released.toString() },
      }
    },
  }
}

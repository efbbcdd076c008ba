import { ASSET_IDS } from '@clearwell/money/asset'
import * as z from 'zod/mini'
import { listOf, page, timeText } from './fields.ts'
import type { Route } from './route.ts'

const words = z.object({ en: z.string(), 'zh-HK': z.string() })

/** A change of a rule: a fee, an opening time, a limit. */
export const ruleChange = z.object({
  id: z.string(),
  /** The rule's key, such as `swap-fees`. The lending market's parameters are one rule, `lending`. */
  rule: z.string(),
  title: words,
  /** The parts that change. Empty for `lending`: `POST /Stake/parameters` has them. */
  parts: z.array(
    z.object({
      title: words,
      /** A fraction of one, an amount of an asset, daily opening times in Hong Kong (`09:30–17:00`, `always`), or shown as it is. */
      unit: z.enum(['fraction', 'opening', 'plain', ...ASSET_IDS]),
      before: z.string(),
      after: z.string(),
    }),
  ),
  announced_at: timeText,
  starts_at: timeText,
  /** The operator took it back before its start. */
  withdrawn_at: z.nullable(timeText),
})

/** A planned upgrade: requests may fail for moments between its times. */
export const plannedUpgrade = z.object({ id: z.string(), starts_at: timeText, ends_at: timeText, text: words })

export const ruleRoutes = {
  ruleChanges: {
    method: 'POST',
    path: '/Rule/changes',
    session: 'none',
    idempotent: false,
    summary: 'Every change of the rules that was announced, newest first, with the time from which it counts.',
    payload: z.object(page),
    response: listOf(ruleChange),
    refusals: ['invalid_input'],
  },
} as const satisfies Record<string, Route>

import type { Route } from '@clearwell/api/route'
import { routes } from '@clearwell/api/routes'
import { tableOf, writeTables } from './write-tables.ts'

/** Writes the tables of docs/reference/limits.md from the table of calls. */
const calls: readonly Route[] = Object.values(routes)
const dear = calls.flatMap(({ path, session, cost }) => {
  if (!cost) return []
  const share = `1/${cost.requests}`
  return [[`\`${path}\``, session === 'none' ? 'address' : 'account', cost.rows.toLocaleString('en'), share]]
})
const other: [string, (call: Route) => boolean, string][] = [
  ['sign-in calls', ({ isSignIn }) => isSignIn === true, 'by address, apart from all others'],
  ['polled calls, answered from memory', ({ isPolled }) => isPolled === true, 'by address, 100 times as many'],
  ['calls that always ask the chain', ({ asksChain }) => asksChain === 'always', 'a tenth of the limit each'],
  ['calls that may ask the exchange', ({ asksExchange }) => asksExchange === true, 'a fifth of the limit each'],
]
const tables: Readonly<Record<string, string>> = {
  'dear calls': tableOf(['call', 'counted by', 'rows read at most', 'share of the limit'], dear),
  'other calls': tableOf(
    ['calls', 'which', 'how they count'],
    other.map(([name, isOne, about]) => [
      name,
      calls
        .filter(isOne)
        .map(({ path }) => `\`${path}\``)
        .join(', '),
      about,
    ]),
  ),
}

writeTables('limits.md', tables)

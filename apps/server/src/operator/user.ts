import type { Database } from '@clearwell/ledger/database'
import { viewAccount } from '../features/history/view-account.ts'
import { type ActionRow, operatorActions } from '../platform/operator/operator.tables.ts'
import { type Arguments, failure, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { openOperatorClock } from './execute-request.ts'
import { withDatabase } from './open-books.ts'
import { readAddress } from './read-address.ts'
import { perform } from './request-action.ts'
import { type Account, readAccount, readTimeline, type Timeline } from './user-timeline.ts'

/** A recorded look shows further pages for this long. */
const LOOK_MS = 3_600_000

export const user: OperatorCommand = {
  about:
    'shows an account and what happened to it, newest first: sign-ups, sessions, entries, orders, freezes, looks and notices. A person of support signs each look, and the user sees its reason. `--request` continues a look for an hour',
  words: '<address> --reason <text> [--before <time>] | <address> --request <request> [--before <time>]',
  options: ['reason', 'before', 'request'],
  async run({ words: [text = '', ...rest], json, reason, request, before: beforeText }) {
    const address = readAddress(text)
    if (!address || rest.length > 0 || (reason === undefined) === (request === undefined)) return undefined
    const before = beforeText === undefined ? undefined : new Date(beforeText)
    if (before && Number.isNaN(before.getTime()))
      return failure('--before must be a time such as 2026-12-01T00:00:00Z.')
    return withDatabase(async (db, site) => {
      const now = (await openOperatorClock(site, db)).now()
      if (request !== undefined)
        return (await isLook(db, { request, address, now }))
          ? show(db, { address, before, now, json, request })
          : NO_LOOK
      if (!reason || !isPrintable(reason)) return undefined
      const args = { json, execute: true, reason }
      const looked = await perform(site, db, { action: viewAccount, payload: { address }, args })
      return looked.executed ? show(db, { address, before, now, json, request: looked.id }) : looked.outcome
    })
  },
}

const NO_LOOK = failure('No person has signed that look within the last hour: look again, with a --reason.')

async function isLook(
  db: Database,
  { request, address, now }: { readonly request: string; readonly address: string; readonly now: Date },
): Promise<boolean> {
  const [row] = await db.query<Pick<ActionRow, 'kind'>>(
    `select kind from ${operatorActions.name} where id = $1 and kind = $2 and account = $3 and at > $4`,
    [request, viewAccount.kind, address, new Date(now.getTime() - LOOK_MS)],
  )
  return row !== undefined
}

async function show(
  db: Database,
  {
    address,
    before,
    now,
    json,
    request,
  }: Pick<Arguments, 'json'> & {
    readonly address: string
    readonly before: Date | undefined
    readonly now: Date
    readonly request: string
  },
): Promise<Outcome> {
  const account = await readAccount(db, address, now)
  const timeline = await readTimeline(db, address, before)
  const { events, next } = timeline
  const text = json
    ? JSON.stringify({ account, events, next: next ?? null, request }, null, 2)
    : [...accountLines(account), '', ...eventLines(timeline), ...nextLine(next, { address, request })].join('\n')
  return { text, faults: [], exitCode: 0 }
}

function accountLines({ address, signedUp, activated, invitedBy, frozenUntil, sessions, balances }: Account): string[] {
  return [
    address,
    `signed up      ${signedUp ?? 'never'}`,
    `activated      ${activated ?? 'no'}`,
    `invited by     ${invitedBy ?? 'no inviter'}`,
    `frozen until   ${frozenUntil ?? 'not frozen'}`,
    `sessions       ${sessions.open} not ended${sessions.lastUsed ? `, last used ${sessions.lastUsed}` : ''}`,
    ...balances.map(({ place, amount, asset }) => `${place.padEnd(13)}  ${amount} ${asset}`),
  ]
}

function eventLines({ events }: Timeline): string[] {
  if (events.length === 0) return ['Nothing is stored about this account.']
  return events.map(({ at, kind, text }) => `${at}  ${kind.padEnd(8)}  ${text}`)
}

function nextLine(next: string | undefined, { address, request }: { address: string; request: string }): string[] {
  return next === undefined
    ? []
    : ['', `Older: npm run operator -- user ${address} --request ${request} --before ${next}`]
}

import { readArchiveEndOf } from '@clearwell/ledger/archives'
import type { Database } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { readPostings, readRange } from '@clearwell/ledger/read-postings'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { placeOf, userAccounts } from '../platform/ledger/accounts.ts'
import type { TimelineKind, TimelineSource } from '../platform/operator/timeline-source.ts'
import { TIMELINE } from '../timeline.ts'

/** Events of a page, and the most of each source that are read for it. A page is longer if several events share its last moment. */
const [SHOWN, READ] = [50, 200]

/** Something that an account did, or that happened to it. */
export interface TimelineEvent {
  readonly at: string
  readonly kind: TimelineKind | 'entry'
  readonly text: string
}

export interface Timeline {
  /** Newest first. */
  readonly events: readonly TimelineEvent[]
  /** The time before which older events are. Absent at the end. */
  readonly next?: string
}

/** An account now. Times are texts. */
export interface Account {
  readonly address: string
  readonly signedUp: string | undefined
  readonly activated: string | undefined
  readonly invitedBy: string | undefined
  readonly frozenUntil: string | undefined
  readonly sessions: { readonly open: number; readonly lastUsed: string | undefined }
  readonly balances: readonly { readonly place: string; readonly asset: string; readonly amount: string }[]
}

interface AccountRow {
  signed_up: Date | null
  activated: Date | null
  invited_by: string | null
  frozen_until: Date | null
  open_sessions: number
  last_used: Date | null
}

/** Reads an account as it is now. An address that never signed in has one too: it can be paid. */
export async function readAccount(db: Database, address: string, now: Date): Promise<Account> {
  const [row] = await db.query<AccountRow>(
    `select (select created_at from users where id = $1) as signed_up, (select parent_id from users where id = $1) as invited_by,
       (select activated_at from members where id = $1) as activated,
       (select ends_at from frozen_accounts where id = $1 and ends_at > $2) as frozen_until,
       (select count(*)::integer from sessions where user_id = $1 and revoked_at is null) as open_sessions,
       (select max(last_used_at) from sessions where user_id = $1) as last_used`,
    [address, now],
  )
  const balances = await readBalances(db, userAccounts(address))
  return {
    address,
    signedUp: row?.signed_up?.toISOString(),
    activated: row?.activated?.toISOString(),
    invitedBy: row?.invited_by ?? undefined,
    frozenUntil: row?.frozen_until?.toISOString(),
    sessions: { open: row?.open_sessions ?? 0, lastUsed: row?.last_used?.toISOString() },
    balances: balances
      .filter(({ units }) => units !== 0n)
      .map(({ account, asset, units }) => ({ place: placeOf(account), asset, amount: formatAmount({ asset, units }) })),
  }
}

/** Reads what an account did and what happened to it, newest first: one page in bounded work. */
export async function readTimeline(db: Database, address: string, before?: Date): Promise<Timeline> {
  const [others, entries] = await Promise.all([readOthers(db, address, before), readEntries(db, address, before)])
  const all = [...others, ...entries].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  const last = all[SHOWN - 1]
  const events = last ? all.filter(({ at }, index) => index < SHOWN || at === last.at) : all
  return events.length < all.length && last ? { events, next: last.at } : { events }
}

async function readEntries(db: Database, address: string, before: Date | undefined): Promise<TimelineEvent[]> {
  const range = await readRange(db, { to: before })
  const query = { accounts: userAccounts(address), asset: undefined, kinds: undefined, range } as const
  const rows = await readPostings(db, { ...query, order: 'newest_first', after: undefined, limit: READ })
  const events = rows.map(({ at, kind, account, asset, units, balance_after: after, entry_seq: seq, reference }) => {
    const amounts = `${formatAmount({ asset, units })} ${asset}, then ${formatAmount({ asset, units: after })} ${placeOf(account)}`
    const text = `${kind}  ${amounts}  entry ${seq}, ${reference}`
    return { at: at.toISOString(), kind: 'entry', text } as const
  })
  const end = rows.length < READ ? await readArchiveEndOf(db, userAccounts(address)) : undefined
  if (!end || (before && end.at >= before)) return events
  const text = `older entries, up to entry ${end.seq}, are in archives: archive list names them`
  return [...events, { at: end.at.toISOString(), kind: 'entry', text }]
}

interface OtherRow extends Pick<TimelineEvent, 'kind'> {
  readonly at: Date
  readonly what: string
  readonly asset: Amount['asset'] | null
  readonly units: bigint | null
  readonly detail: string | null
}

async function readOthers(db: Database, address: string, before: Date | undefined): Promise<TimelineEvent[]> {
  const rows = await db.query<OtherRow>(TIMELINE.map(readSource).join(' union all '), [
    address,
    before ?? 'infinity',
    READ,
  ])
  return rows.map(({ at, kind, what, asset, units, detail }) => {
    const amount = asset !== null && units !== null ? [`${formatAmount({ asset, units })} ${asset}`] : []
    return { at: at.toISOString(), kind, text: [what, ...amount, ...(detail ? [detail] : [])].join('  ') }
  })
}

function readSource({ kind, table, account, at, what, amount = ['null', 'null'], detail = 'null' }: TimelineSource) {
  const [asset, units] = amount
  return `(select ${at} as at, '${kind}' as kind, ${what} as what, ${asset}::text as asset, ${units}::numeric as units, ${detail} as detail
    from ${table.name} where ${account} = $1 and ${at} < $2 order by ${at} desc limit $3)`
}

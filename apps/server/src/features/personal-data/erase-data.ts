import type { DataGroup } from '@clearwell/api/personal-data.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import type { Table } from '@clearwell/ledger/table'
import { DAY_MS } from '@clearwell/rules/spans'
import type { SignedIn } from '../../platform/http/request-context.ts'
import { GROUP_OF_TABLE, KEPT_BECAUSE } from './data-groups.ts'

type Response = ResponseOf<'eraseData'>

/** The columns of users who may erase their rows, as the tables say. */
export function erasableRows(tables: readonly Table<unknown>[]): { readonly table: string; readonly column: string }[] {
  return tables.flatMap(({ name, kinds }) =>
    Object.entries(kinds).flatMap(([column, { mayErase }]) => (mayErase ? [{ table: name, column }] : [])),
  )
}

/**
 * Erases a user's rows of the tables that say so, and the nickname: in one transaction, and each statement names the user.
 * The session that asks stays. A second time finds nothing and changes nothing.
 */
export async function eraseData(
  { db, tables, answersDays }: { db: Database; tables: readonly Table<unknown>[]; answersDays: number },
  { id, tokenHash }: SignedIn,
  now: Date,
): Promise<Response> {
  const counts = await db.transaction(async (tx) => {
    const counts = new Map<DataGroup, number>()
    // In turn with price alerts that are being set.
    await tx.query('select 1 from users where id = $1 for no key update', [id])
    for (const { table, column } of erasableRows(tables)) {
      const isSession = table === 'sessions'
      const rows = await tx.query(
        `delete from ${table} where ${column} = $1 ${isSession ? 'and token_hash <> $2' : ''} returning 1`,
        isSession ? [id, tokenHash] : [id],
      )
      const group = GROUP_OF_TABLE[table] as DataGroup
      counts.set(group, (counts.get(group) ?? 0) + rows.length)
    }
    const names = await tx.query(`update users set nickname = '' where id = $1 and nickname <> '' returning 1`, [id])
    if (names.length > 0) counts.set('account', names.length)
    return counts
  })
  const until: Partial<Record<DataGroup, Date>> = { commands: new Date(now.getTime() + answersDays * DAY_MS) }
  const reasons = Object.entries(KEPT_BECAUSE) as [DataGroup, Response['kept'][number]['why']][]
  return {
    erased: [...counts].map(([what, rows]) => ({ what, rows })),
    kept: reasons.map(([what, why]) => ({ what, why, until: until[what]?.toISOString() ?? null })),
  }
}

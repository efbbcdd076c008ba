import { ACT_KINDS } from '@clearwell/api/history.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import { decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import type { ActRow, HistoryStore } from './history.store.ts'

/** Lists what persons of the operator did about an account: the role and the reason, and never a name. */
export async function listActs(
  store: Pick<HistoryStore, 'acts'>,
  userId: string,
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
): Promise<ResponseOf<'acts'>> {
  return pageOf(await store.acts(userId, decodeCursor(cursor), limit + 1), limit, actItem, encodeCursor)
}

function actItem({ id, kind, role, is_by_two: isByTwo, reason, at }: ActRow): ResponseOf<'acts'>['items'][number] {
  const known = ACT_KINDS.find((each) => each === kind) ?? 'other'
  return { id, kind: known, role, persons: isByTwo ? 2 : 1, reason, created_at: at.toISOString() }
}

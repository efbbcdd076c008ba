import type { Breakage, Edit } from '../../scripts/rows/breakage.ts'
import type { RowId } from './rows.ts'

/**
 * Lists the breakages of rows whose behaviour a file computes. A row that does not exist does not compile.
 *
 * @example breaksIn('apps/web/src/wallet/transport.ts', { '9.15': drop('RETRIED_STATUSES', '403') })
 */
export function breaksIn(file: string, edits: { readonly [Id in RowId]?: Edit }): Breakage[] {
  return Object.entries(edits).map(([row, edit]) => ({ row, file, edit }))
}

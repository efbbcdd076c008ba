import type { Queryable } from '@clearwell/ledger/database'
import { starWeight } from '@clearwell/rules/rich-star'
import { type RichAccountRow, richAccounts, richProgram } from '../../features/rich/rich.tables.ts'
import { lastRows, type MissingLines } from './rebuild-rows.ts'
import { RestoreRefused } from './restore-refused.ts'

/**
 * Compares the stars of the accounts with the sums of the hub after all lines. An earlier version gives a star without a line, so the rows
 * of its account would be missing.
 *
 * @throws RestoreRefused if they differ.
 */
export async function checkHubRows(db: Queryable, { lines }: Pick<MissingLines, 'lines'>): Promise<void> {
  const program = lastRows(lines, richProgram).at(-1)
  if (!program) return
  const known = await db.query<RichAccountRow>(`select ${richAccounts.columns} from rich_accounts where star > 0`)
  const accounts = new Map([...known, ...lastRows(lines, richAccounts)].map((row) => [row.id, row]))
  const withStar = [...accounts.values()].filter(({ star }) => star > 0)
  const weight = withStar
    .filter(({ steps_down_at }) => steps_down_at === null)
    .reduce((sum, { star }) => sum + starWeight(star), 0n)
  if (withStar.length !== program.accounts || weight !== program.next_weight)
    throw new RestoreRefused(
      `The store has ${withStar.length} accounts with a star and the weight ${weight}, and the upgrade hub has ${program.accounts} and ${program.next_weight}.`,
    )
}

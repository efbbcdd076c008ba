import type { Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { RT_EARNINGS } from './accounts.ts'

/**
 * Compares the sums of the upgrade hub with its accounts, to the unit. Reads every account with a UID, so its duration grows
 * with their number.
 *
 * @returns one sentence per difference; empty if there is none.
 */
export async function findHubFaults(tx: Queryable): Promise<string[]> {
  const held = (await readBalances(tx, [RT_EARNINGS])).find(({ asset }) => asset === 'RT')
  const rows = await tx.query<{ name: string; stored: bigint; summed: bigint }>(
    `with program as (
       select coalesce(max(release_index), 0) as release_index, coalesce(max(weight), 0) as weight,
         coalesce(max(accounts), 0)::numeric as accounts
       from rich_program
     ), summed as (
       select coalesce(sum(account.weight), 0) as weight, count(*) filter (where account.weight > 0)::numeric as accounts,
         coalesce(sum(to_collect + account.weight * (program.release_index - settled_index)), 0) as owed
       from program left join (
         select *, case when star = 0 then 0 else 2::numeric ^ (star - 1) end as weight from rich_accounts
       ) account on true
     )
     select figure.* from program cross join summed cross join lateral (values
       ('weight', program.weight, trunc(summed.weight)),
       ('number of accounts with a star', program.accounts, summed.accounts),
       ('uncollected RT', $1::numeric, trunc(summed.owed)),
       ('open requests', (select count(*)::numeric from rich_requests where status = 'Requested'),
         (select count(*)::numeric from rich_requests request join rich_accounts on request_id = request.id and user_id = rich_accounts.id
          where status = 'Requested'))
     ) as figure (name, stored, summed)
     where figure.stored <> figure.summed`,
    [held?.units ?? 0n],
  )
  return rows.map(
    ({ name, stored, summed }) => `the upgrade hub has ${name} ${stored}, and its accounts add up to ${summed}`,
  )
}

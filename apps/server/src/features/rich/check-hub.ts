import type { Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { RT_EARNINGS } from '../../platform/ledger/accounts.ts'

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
         coalesce(max(next_weight), 0) as next_weight,
         coalesce(max(accounts), 0)::numeric as accounts
       from rich_program
     ), summed as (
       select coalesce(sum(case when risen_at is null then weight else star_weight end), 0) as weight,
         coalesce(sum(star_weight) filter (where steps_down_at is null), 0) as next_weight,
         count(*) filter (where star > 0)::numeric as accounts,
         coalesce(sum(to_collect + weight * (coalesce(risen_at, release_index) - settled_index)
           + star_weight * (release_index - coalesce(risen_at, release_index))), 0) as owed
       from (
         select account.*, program.release_index, release.index_after as risen_at,
           case when star = 0 then 0 else trunc(2::numeric ^ (star - 1)) end as star_weight
         from program join rich_accounts account on true left join rich_releases release on release.id = raised_on
       ) account
     )
     select figure.* from program cross join summed cross join lateral (values
       ('weight', program.weight, trunc(summed.weight)),
       ('weight of the next day', program.next_weight, trunc(summed.next_weight)),
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

import type { State, StateKey } from '@clearwell/ledger/command'
import { earnedBy } from '@clearwell/rules/rich-release'
import { starWeight } from '@clearwell/rules/rich-star'
import { RT_PROGRAM, userAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import {
  type OpenRequest,
  type ProgramRow,
  type RichAccountRow,
  richAccounts,
  richProgram,
  richRequests,
} from './rich.tables.ts'

/** The id of the only row of the programme. */
export const PROGRAM = 'rt'

/** A programme without accounts. */
export const NEW_PROGRAM: ProgramRow = { id: PROGRAM, release_index: 0n, weight: 0n, accounts: 0 }

/** The state that every command of a user reads. */
export function hubKeys(userId: string): StateKey[] {
  return [
    { table: richAccounts, id: userId },
    { table: richProgram, id: PROGRAM },
    { account: userAccount(userId, 'available'), asset: 'RT' },
    { account: userAccount(userId, 'rt_deposit'), asset: 'RT' },
    { account: RT_PROGRAM, asset: 'RT' },
  ]
}

/** @throws Refusal `uid_not_linked`. */
export function readAccount(state: State, userId: string): RichAccountRow {
  const account = state.row(richAccounts, userId)
  if (!account) throw refusal('uid_not_linked')
  return account
}

export function readProgram(state: State): ProgramRow {
  return state.row(richProgram, PROGRAM) ?? NEW_PROGRAM
}

/** The user's request while it is open. */
export function readOpenRequest(state: State, { request_id: id }: RichAccountRow): OpenRequest | undefined {
  const request = id === null ? undefined : state.row(richRequests, id)
  return request?.status === 'Requested' ? request : undefined
}

/** Settles the account's earnings up to now and gives it another star level: later releases count by the new weight. */
export function changeStar(
  account: RichAccountRow,
  program: ProgramRow,
  star: number,
): { readonly account: RichAccountRow; readonly program: ProgramRow } {
  const { release_index: index, weight, accounts } = program
  const hasStar = (each: number) => (each > 0 ? 1 : 0)
  return {
    account: { ...account, star, settled_index: index, to_collect: earned(account, program) },
    program: {
      ...program,
      weight: weight - starWeight(account.star) + starWeight(star),
      accounts: accounts - hasStar(account.star) + hasStar(star),
    },
  }
}

/** RT that the account has earned and not collected. */
export function earned(
  { star, settled_index: settledIndex, to_collect: toCollect }: RichAccountRow,
  { release_index: index }: ProgramRow,
): bigint {
  return earnedBy({ star, settledIndex, toCollect }, index)
}

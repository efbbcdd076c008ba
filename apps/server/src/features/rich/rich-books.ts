import type { State, StateKey } from '@clearwell/ledger/command'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
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
  richReleases,
  richRequests,
} from './rich.tables.ts'

/** The id of the only row of the programme. */
export const PROGRAM = 'rt'

/** A programme without accounts. */
export const NEW_PROGRAM: ProgramRow = {
  id: PROGRAM,
  release_index: 0n,
  weight: 0n,
  next_weight: 0n,
  released_day: null,
  accounts: 0,
}

/** An account and the programme after a change of both. */
interface Changed {
  readonly account: RichAccountRow
  readonly program: ProgramRow
}

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

/** @throws Refusal `uid_not_linked`, also where the operator released the UID of the account. */
export function readLinked(state: State, userId: string): RichAccountRow {
  const account = readAccount(state, userId)
  if (account.uid === null) throw refusal('uid_not_linked')
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

/** The sum of the releases after the day of the account's last rise; `undefined` until that day is released. */
export function readRiseIndex(state: State, { raised_on: day }: RichAccountRow): bigint | undefined {
  return day === null ? undefined : state.row(richReleases, day)?.index_after
}

/** RT that the account has earned and not collected. @param riseIndex as {@link readRiseIndex} returns it. */
export function earned(account: RichAccountRow, program: ProgramRow, riseIndex: bigint | undefined): bigint {
  const { weight, star, settled_index: settledIndex, to_collect: toCollect } = account
  // Without a rise index the next weight counts for nothing.
  const nextWeight = starWeight(star)
  return earnedBy({ weight, nextWeight, settledIndex, toCollect }, { index: program.release_index, riseIndex })
}

/** Adds everything earned so far to what can be collected. A rise whose day is released counts from then on. */
export function settle(account: RichAccountRow, program: ProgramRow, riseIndex: bigint | undefined): RichAccountRow {
  return {
    ...account,
    to_collect: earned(account, program, riseIndex),
    settled_index: program.release_index,
    ...(riseIndex !== undefined && { weight: starWeight(account.star), raised_on: null }),
  }
}

/**
 * Gives an account a higher star level: its weight counts from the day after `today`.
 *
 * @param today every day before it is released.
 */
export function raiseStar(state: State, account: RichAccountRow, star: number, today: HongKongDay): Changed {
  const program = readProgram(state)
  const settled = settle(account, program, readRiseIndex(state, account))
  return {
    account: { ...settled, star, raised_on: today },
    program: {
      ...program,
      next_weight: program.next_weight + starWeight(star) - starWeight(account.star),
      accounts: program.accounts + (account.star === 0 ? 1 : 0),
    },
  }
}

/**
 * Takes the weight of an account, which gives notice: it counts no more, the present day included.
 *
 * @param account every day before the present one is released.
 */
export function takeWeight(state: State, account: RichAccountRow): Changed {
  const program = readProgram(state)
  const settled = settle(account, program, readRiseIndex(state, account))
  return {
    account: { ...settled, weight: 0n, raised_on: null },
    program: {
      ...program,
      weight: program.weight - settled.weight,
      next_weight: program.next_weight - starWeight(account.star),
    },
  }
}

/** Takes the star of an account after its notice, which only accounts with a star give. Its weight was taken with the notice. */
export function takeStar(state: State, account: RichAccountRow): Changed {
  const program = readProgram(state)
  return {
    account: { ...settle(account, program, undefined), star: 0, steps_down_at: null, request_id: null },
    program: { ...program, accounts: program.accounts - 1 },
  }
}

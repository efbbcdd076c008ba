import { MemoryLedger, refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { amountOf } from '@clearwell/money/amount'
import { members } from '../../../domain/members/members.ts'
import { RT_PROGRAM, userAccount } from '../../../platform/ledger/accounts.ts'
import { linkUid, renameUid } from '../link-uid.ts'
import { collectRt, depositRt, takeBackRt } from '../move-rt.ts'
import { approveUpgrade, passDueRequests, requestUpgrade } from '../request-upgrade.ts'
import { richConfig, richRules } from '../rich.config.ts'
import { type RichAccountRow, richAccounts } from '../rich.tables.ts'
import { returnDeposits, stepDown } from '../step-down.ts'

/** 08:00 in Hong Kong. */
export const START = new Date('2026-11-22T00:00:00Z')
export const HOUR_S = 3_600
export const DAY_S = 24 * HOUR_S
const RULES = richRules({ rich: richConfig.shape.rich.parse(undefined) })
const key = undefined

/** The hub with the default rules on a ledger in memory: the first star needs 100 RT, the highest one 25,600. */
export class RichLedger extends MemoryLedger {
  constructor() {
    super(START)
    this.add(RT_PROGRAM, 'RT', rt('30000000'))
  }

  /** An activated account with RT, and with a linked UID unless it is null. */
  join(userId: string, { has = '0', uid = userId }: { has?: string; uid?: string | null } = {}): void {
    this.put(members, { id: userId, activated_at: START, activation_order_id: null })
    this.add(userAccount(userId, 'available'), 'RT', rt(has))
    if (uid !== null) this.link(userId, uid)
  }

  link(userId: string, uid: string, name = 'Name') {
    return this.execute(linkUid(RULES, { userId, parentId: null, uid, name, key }))
  }

  rename(userId: string, name: string) {
    return this.execute(renameUid(RULES, { userId, name, key }))
  }

  deposit(userId: string, amount: string) {
    return this.execute(depositRt(RULES, { userId, units: rt(amount), key }))
  }

  takeBack(userId: string) {
    return this.execute(takeBackRt(RULES, { userId, key }))
  }

  collect(userId: string) {
    return this.execute(collectRt(RULES, { userId, key }))
  }

  request(userId: string, parentId: string | null = null) {
    return this.execute(requestUpgrade(RULES, { userId, parentId, key }))
  }

  approve(userId: string, requestId: string) {
    return this.execute(approveUpgrade(RULES, { userId, requestId, key }))
  }

  passDue(...ids: string[]) {
    return this.execute(passDueRequests(RULES, ids)).passed
  }

  stepDown(userId: string) {
    return this.execute(stepDown(RULES, { userId, key }))
  }

  returnDeposits(...userIds: string[]) {
    return this.execute(returnDeposits(userIds)).returned
  }

  /** Ends the membership, as nothing in the product does: for rules that need an activated account. */
  deactivate(userId: string): void {
    this.put(members, { id: userId, activated_at: null, activation_order_id: null })
  }

  account(userId: string): RichAccountRow | undefined {
    return this.row(richAccounts, userId)
  }

  has(userId: string, place: 'available' | 'rt_deposit' = 'available'): bigint {
    return this.balance(userAccount(userId, place), 'RT')
  }
}

/** The refusal's name with its data. */
export function refused(act: () => unknown): unknown {
  const { refusal, data } = refusalOf(act)
  return { [refusal]: data }
}

export function rt(text: string): bigint {
  return amountOf(text, 'RT').units
}

import type { Queryable } from '@clearwell/ledger/database'
import type { MembershipLevel } from '@clearwell/rules/box-power'

/** Reads a member's level. Everyone has level 0 until members can rise. */
export async function readLevel(_db: Queryable, _userId: string): Promise<MembershipLevel> {
  return 0
}

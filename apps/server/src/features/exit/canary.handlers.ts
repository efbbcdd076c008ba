import { DEFAULT_PAGE, decodeNumber, pageOf } from '../../platform/http/paging.ts'
import type { Handler } from '../../platform/http/request-context.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { Platform } from '../../platform/platform.ts'
import { readExits } from './canary.store.ts'
import { describeCanaryExit } from './describe-canary.ts'
import { type CanaryConfig, canaryOf } from './exit.config.ts'

/** Lists the exits of the canary by the booked events of the vault, so that its own record needs no trust. */
export function canaryHandler({
  db,
  clock,
  config,
}: Pick<Platform, 'db' | 'clock'> & { readonly config: Pick<CanaryConfig, 'exit'> }): Handler<'proofCanary'> {
  return async ({ cursor, limit = DEFAULT_PAGE }) => {
    const account = canaryOf(config)
    if (account === undefined) throw refusal('not_found')
    const exits = await readExits(db, account, { before: decodeNumber(cursor), limit: limit + 1 })
    const now = clock.now()
    return pageOf(
      exits,
      limit,
      (exit) => describeCanaryExit(exit, now),
      ({ block }) => `${block}`,
    )
  }
}

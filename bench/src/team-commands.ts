import type { Command } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { activateByBalance } from '@clearwell/server/src/features/activation/activate.ts'
import { createUserStore } from '@clearwell/server/src/features/session/user.store.ts'
import { userAccount, VAULT } from '@clearwell/server/src/platform/ledger/accounts.ts'
import type { Clock } from '@clearwell/server/src/platform/time/clock.ts'
import { memberId } from './fill-team.ts'

const PRICE = { asset: 'USDT', units: 10n ** 19n } as const
const RULES = { price: PRICE, opening: 'always', orderTtlMs: 1_000, terms: null } as const

/** The server's own commands of new members, by their numbers. */
export function teamCommands({
  db,
  writer,
  clock,
}: {
  readonly db: Database
  readonly writer: Writer
  readonly clock: Clock
}) {
  const users = createUserStore(db)
  return {
    /** Creates the user and credits what the activation costs. The inviter is 0 for none. */
    async join(number: number, inviter: number): Promise<void> {
      const id = memberId(number)
      await users.insertUser({
        id,
        invite_code: `bench${number}`,
        parent_id: inviter === 0 ? null : memberId(inviter),
        nickname: '',
        created_at: clock.now(),
      })
      await writer.execute(fund(id))
    },
    async activate(number: number): Promise<void> {
      await writer.execute(activateByBalance(RULES, { userId: memberId(number), key: undefined }))
    },
  }
}

function fund(id: string): Command<object> {
  const { asset, units } = PRICE
  const postings = [
    { account: VAULT, asset, units: -units },
    { account: userAccount(id, 'available'), asset, units },
  ]
  const entries = [{ kind: 'deposit', reference: id, postings }]
  return { kind: 'fund', owner: 'bench', payload: {}, preload: [], decide: () => ({ entries, response: {} }) }
}

import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import type { PlatformConfig } from '../../config/platform-config.ts'
import { localOwners } from '../chain/local-wallets.ts'
import { storeFirstOwners } from './change-person.ts'

/**
 * Stores the first owners in a ledger that never had a person. Later the configuration adds no person: writing a
 * server's file must not make anyone an owner.
 */
export async function openPersons({
  db,
  writer,
  config,
}: {
  readonly db: Database
  readonly writer: Pick<Writer, 'execute'>
  readonly config: Pick<PlatformConfig, 'env' | 'firstOwners'>
}): Promise<void> {
  const owners = firstOwners(config)
  if (owners.length === 0 || (await db.query('select from operator_persons limit 1')).length > 0) return
  await writer.execute(storeFirstOwners(owners))
}

function firstOwners({ env, firstOwners: named }: Pick<PlatformConfig, 'env' | 'firstOwners'>) {
  if (named.length > 0 || env.profile !== 'local') return named
  return localOwners().map(({ name, account }) => ({ name, address: account.address }))
}

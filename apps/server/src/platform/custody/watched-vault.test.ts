import { randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import type { Custody } from '../chain/chain.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { readLedgerVault, refuseReplacedVault, replacedVaultId, withReplacedVaults } from './watched-vault.ts'

const VAULT = `0x${'Ab'.repeat(20)}`
const OTHER = `0x${'cd'.repeat(20)}`

let db: Database
let writer: Writer
beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  writer = await Writer.open({
    db,
    clock: { now: () => new Date('2026-11-22T00:00:00Z') },
    randomId: () => randomUUID(),
    holder: 'test',
    leaseTtlMs: 2_000,
    exclusive: true,
  })
})
afterEach(async () => {
  await writer.close()
  await db.close()
})

test('the start binds the ledger to its vault and rejects another one', async () => {
  const follower = { isWriting: false, execute: writer.execute.bind(writer) }
  await refuseReplacedVault({ db, writer: follower }, { chainId: 97, vault: VAULT })
  await refuseReplacedVault({ db, writer }, { chainId: 97, vault: VAULT })
  await refuseReplacedVault({ db, writer }, { chainId: 97, vault: VAULT.toLowerCase() })
  await refuseReplacedVault({ db, writer: follower }, { chainId: 97, vault: VAULT })
  const sentence = `The ledger belongs to the vault ${VAULT.toLowerCase()} on chain 97, but chain.vault is ${OTHER}: set it back, or move the ledger with \`npm run operator -- vault move\`.`
  for (const each of [writer, follower])
    await expect(refuseReplacedVault({ db, writer: each }, { chainId: 97, vault: OTHER })).rejects.toThrow(
      new ConfigError(sentence),
    )
})

test('custody knows the vaults that the ledger moved away from', async () => {
  const custodyOf = (vault: string) => ({ vault }) as Custody
  const moved = async (vault: string) => {
    const { replacedVaults, movedAt } = await withReplacedVaults(db, 97, custodyOf(vault))
    return { replacedVaults, movedAt }
  }
  expect(await moved(VAULT)).toEqual({ replacedVaults: undefined, movedAt: undefined })
  await refuseReplacedVault({ db, writer }, { chainId: 97, vault: VAULT })
  expect(await moved(VAULT)).toEqual({ replacedVaults: undefined, movedAt: undefined })
  // The operator has configured the next vault, and the ledger has not moved yet.
  expect(await moved(OTHER)).toEqual({ replacedVaults: [VAULT.toLowerCase()], movedAt: undefined })
})

test('custody lists earlier vaults, and when the ledger left them', async () => {
  const [first, second] = [OTHER, `0x${'ef'.repeat(20)}`]
  expect(await readLedgerVault(db)).toBeUndefined()
  await refuseReplacedVault({ db, writer }, { chainId: 97, vault: VAULT })
  const insert = 'insert into replaced_vaults (id, chain_id, vault, replaced_at) values ($1, $2, $3, $4)'
  await db.query(insert, [replacedVaultId('97', second), '97', second, new Date('2026-11-21T00:00:00Z')])
  await db.query(insert, [replacedVaultId('97', first), '97', first, new Date('2026-11-20T00:00:00Z')])
  await db.query(insert, [replacedVaultId('56', first), '56', first, new Date('2026-11-20T00:00:00Z')])
  const { replacedVaults, movedAt } = await withReplacedVaults(db, 97, { vault: VAULT } as Custody)
  expect([replacedVaults, movedAt]).toEqual([[first, second], new Date('2026-11-22T00:00:00Z')])
  expect(await readLedgerVault(db)).toEqual({ chainId: '97', vault: VAULT.toLowerCase() })
  expect(replacedVaultId('97', first)).toBe(`97:${first}`)
})

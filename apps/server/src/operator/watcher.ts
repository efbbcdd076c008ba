import type { Database } from '@clearwell/ledger/database'
import { planRewind } from '../features/wallet/plan-rewind.ts'
import { rewindWatcher } from '../features/wallet/rewind-watcher.ts'
import type { Config } from '../load-config.ts'
import type { Chain, Custody } from '../platform/chain/chain.ts'
import { readCursor } from '../platform/custody/chain-cursors.ts'
import { type Arguments, failure, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { withChain, withConfigFile } from './open-books.ts'
import { requestAction } from './request-action.ts'

interface Deps {
  readonly config: Config
  readonly db: Database
  readonly chain: Chain
  readonly custody: Custody
}

export const watcher: OperatorCommand = {
  about:
    'shows how far the watcher has read; moves it back after a deep reorganisation. Exit code 1 while it must halt',
  words: 'status | rewind --to <block> --reason <text> [--execute]',
  options: ['to', 'reason', 'execute'],
  async run({ words, json, execute, reason, to }) {
    const [verb, ...rest] = words
    if (rest.length > 0) return undefined
    if (verb === 'status') return withCustody((deps) => status(deps, json))
    if (verb !== 'rewind' || !reason || !isPrintable(reason) || !/^\d{1,18}$/.test(to ?? '')) return undefined
    return withCustody((deps) => rewind(deps, BigInt(to ?? ''), { json, execute, reason }))
  },
}

function withCustody(work: (deps: Deps) => Promise<Outcome>): Promise<Outcome> {
  return withConfigFile((config, db) =>
    withChain(
      config,
      db,
      () => {},
      (chain, custody) => work({ config, db, chain, custody }),
    ),
  )
}

async function status({ db, chain, custody }: Deps, json: boolean): Promise<Outcome> {
  const cursor = await readCursor(db, chain.id)
  if (!cursor) return failure('The watcher has not read a block yet.')
  const [head, block] = [await chain.head(), await chain.block(cursor.number)]
  const isReplaced = block !== undefined && block.hash !== cursor.hash
  const faults = isReplaced
    ? [
        `Block ${cursor.number} has the hash ${block.hash} on the chain: the watcher halts. See docs/recipes/recover-the-watcher.md.`,
      ]
    : []
  const shown = {
    vault: custody.vault,
    first_block: custody.vaultBlock.toString(),
    cursor: { number: cursor.number.toString(), hash: cursor.hash, time: cursor.time.toISOString() },
    head: head.number.toString(),
    lag: (head.number - cursor.number).toString(),
    is_replaced: isReplaced,
  }
  const text = json
    ? JSON.stringify(shown, null, 2)
    : [
        `The watcher has read up to block ${shown.cursor.number} of ${shown.cursor.time}; the chain is at ${shown.head}, ${shown.lag} ahead.`,
        `Its hash is ${shown.cursor.hash}.`,
        `It reads the vault ${shown.vault} since block ${shown.first_block}.`,
      ].join('\n')
  return { text, faults, exitCode: isReplaced ? 1 : 0 }
}

async function rewind(
  { config, db, chain, custody }: Deps,
  to: bigint,
  args: Pick<Arguments, 'json' | 'execute'> & { readonly reason: string },
): Promise<Outcome> {
  const { confirmations } = config.chain
  const plan = await planRewind({ db, chain, confirmations, operator: custody.operator }, to)
  if ('fault' in plan) return failure(plan.fault)
  return requestAction(config, db, { action: rewindWatcher, payload: plan.payload, args })
}

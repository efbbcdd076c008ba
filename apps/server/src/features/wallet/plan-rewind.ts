import type { Database } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { DAY_MS } from '@clearwell/rules/spans'
import {
  type Chain,
  type ChainBlock,
  type ChainDeposit,
  type ChainMovements,
  movementId,
} from '../../platform/chain/chain.ts'
import { readCursor } from '../../platform/custody/chain-cursors.ts'
import { deposits } from '../../platform/custody/deposits.ts'
import type { RewindPayload } from './rewind-watcher.ts'

/** Blocks that one request to the node covers. */
const BLOCKS_AT_ONCE = 2_000n

/** A plan, or the reason why the watcher cannot be moved to this block now. */
export type RewindPlan = { readonly payload: RewindPayload } | { readonly fault: string }

type CreditedRow = RowOf<typeof deposits>

/**
 * Compares everything that was booked after a block with the chain, and plans how to move the watcher back there.
 *
 * @param deps.operator the operator's address, in lower case.
 */
export async function planRewind(
  deps: { readonly db: Database; readonly chain: Chain; readonly confirmations: number; readonly operator: string },
  toNumber: bigint,
): Promise<RewindPlan> {
  const { db, chain, confirmations, operator } = deps
  const cursor = await readCursor(db, chain.id)
  if (!cursor) return fault('The watcher has not read a block yet.')
  if (toNumber >= cursor.number) return fault(`The watcher is at block ${cursor.number}: choose an earlier block.`)
  const [to, head] = [await chain.block(toNumber), await chain.head()]
  const final = head.number - BigInt(confirmations) + 1n
  if (!to || toNumber > final)
    return fault(`The chain has only ${head.number} blocks: wait, or choose an earlier block.`)
  if (!(await isLastBeforeKept(deps, toNumber)))
    return fault('An earlier credited payment is not on the chain either: choose an earlier block.')
  const found = await readMovements(chain, toNumber + 1n, head.number)
  const compared = compareDeposits(chain.id, await creditedAfter(db, toNumber), found.deposits)
  const young = compared.kept.find(({ blockNumber }) => blockNumber > final)
  if (young)
    return fault(`Payment ${young.txHash} is on the chain again with too few confirmations: run the command later.`)
  const { number, hash, time } = to
  return {
    payload: {
      chainId: String(chain.id),
      operator,
      from: cursor.hash,
      to: { number: String(number), hash, time: time.toISOString() },
      gone: compared.gone,
      moved: compared.moved,
      unpaid: await findUnpaid(deps, to, head, found),
      ...(await findExitsAfter(deps, number, found)),
    },
  }
}

function fault(text: string): RewindPlan {
  return { fault: text }
}

function creditedAfter(db: Database, number: bigint): Promise<CreditedRow[]> {
  return db.query<CreditedRow>(
    `select ${deposits.columns} from deposits
     where block_number > $1 and taken_back_at is null order by block_number, id`,
    [number.toString()],
  )
}

/** Checks that the last credited payment up to the block is still on the chain: else the fork began before. */
async function isLastBeforeKept({ db, chain }: { db: Database; chain: Chain }, number: bigint): Promise<boolean> {
  const [last] = await db.query<{ id: string; block_number: bigint }>(
    `select id, block_number from deposits where block_number <= $1 and taken_back_at is null
     order by block_number desc, id desc limit 1`,
    [number.toString()],
  )
  if (!last) return true
  const { deposits } = await chain.movements({ from: last.block_number, to: last.block_number })
  return deposits.some((deposit) => movementId(chain.id, deposit) === last.id)
}

async function readMovements(chain: Chain, from: bigint, to: bigint): Promise<ChainMovements> {
  const all: ChainMovements[] = []
  for (let start = from; start <= to; start += BLOCKS_AT_ONCE) {
    const end = start + BLOCKS_AT_ONCE - 1n
    all.push(await chain.movements({ from: start, to: end < to ? end : to }))
  }
  return {
    deposits: all.flatMap(({ deposits }) => deposits),
    withdrawals: all.flatMap(({ withdrawals }) => withdrawals),
    exits: all.flatMap(({ exits = [] }) => exits),
  }
}

/** Finds what was booked of exits after a block: payments that the chain does not have, all roots, requests and cancels. */
async function findExitsAfter(
  { db, chain }: { db: Database; chain: Chain },
  number: bigint,
  { exits = [] }: ChainMovements,
) {
  const idsOf = async (text: string) => (await db.query<{ id: string }>(text, [`${number}`])).map(({ id }) => id)
  const paid = new Set(exits.map((exit) => movementId(chain.id, exit)))
  const booked = await idsOf('select id from exit_payments where block > $1 and taken_back_at is null order by id')
  return {
    exits: booked.filter((id) => !paid.has(id)),
    roots: await idsOf('select id from posted_roots where block > $1 and not is_void order by id'),
    acts: await idsOf('select id from exit_acts where block > $1 and not is_void order by id'),
    reopened: await findReopened(db, number),
    requests: await idsOf("select id from exits where block > $1 and state in ('open', 'cancelling') order by id"),
  }
}

/** Finds the accounts that acted after a block, and whose last act up to it was a request. */
async function findReopened(db: Database, number: bigint): Promise<NonNullable<RewindPayload['reopened']>> {
  const acts = await db.query<{ user_id: string; kind: string; at: Date; block: bigint }>(
    `select user_id, kind, at, block from exit_acts
     where not is_void and block <= $1
       and user_id in (select user_id from exit_acts where not is_void and block > $1)
     order by user_id, block, log_index`,
    [`${number}`],
  )
  const last = new Map(acts.map((act) => [act.user_id, act]))
  return [...last.values()].flatMap(({ user_id: account, kind, at, block }) =>
    kind === 'request' ? [{ account, at: at.toISOString(), block: `${block}` }] : [],
  )
}

/** Finds each credited payment on the chain: by its log, or by another log of the same transaction with the same content. */
function compareDeposits(chainId: number, credited: readonly CreditedRow[], onChain: readonly ChainDeposit[]) {
  const free = new Map(onChain.map((deposit) => [movementId(chainId, deposit), deposit]))
  const kept: ChainDeposit[] = []
  const moved: RewindPayload['moved'] = []
  const gone: string[] = []
  const take = (row: CreditedRow, newId: string, deposit: ChainDeposit) => {
    free.delete(newId)
    kept.push(deposit)
    if (newId !== row.id || deposit.blockNumber !== row.block_number)
      moved.push({ id: row.id, newId, blockNumber: String(deposit.blockNumber) })
  }
  const missing = credited.filter((row) => {
    const same = free.get(row.id)
    if (same) take(row, row.id, same)
    return !same
  })
  for (const row of missing) {
    const other = [...free].find(([, deposit]) => isSamePayment(row, deposit))
    if (other) take(row, ...other)
    else gone.push(row.id)
  }
  return { kept, moved, gone }
}

function isSamePayment(row: CreditedRow, deposit: ChainDeposit): boolean {
  const { txHash, account, asset, units } = deposit
  return row.tx_hash === txHash && row.user_id === account && row.asset === asset && row.units === units
}

/** Finds the completed transfers out whose payment the chain does not have, or has in another transaction. */
async function findUnpaid(
  { db, chain }: { db: Database; chain: Chain },
  to: ChainBlock,
  head: ChainBlock,
  { withdrawals }: ChainMovements,
): Promise<string[]> {
  const orders = await db.query<{ id: string; nonce: bigint; tx_hash: string }>(
    `select id, nonce, tx_hash from withdrawal_orders where status = 'completed' and completed_at > $1 order by id`,
    // The clock of this server and the time of a block can differ.
    [new Date(to.time.getTime() - DAY_MS)],
  )
  const hashes = new Map(withdrawals.map(({ nonce, txHash }) => [nonce, txHash]))
  const unpaid: string[] = []
  for (const { id, nonce, tx_hash: hash } of orders) {
    const now = hashes.get(nonce)
    const isPaid = now === undefined ? await chain.isNonceUsed(nonce, head.number) : now === hash
    if (!isPaid) unpaid.push(id)
  }
  return unpaid
}

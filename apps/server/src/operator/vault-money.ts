import { randomBytes } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { readOneMoment } from '@clearwell/ledger/reads'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { type WithdrawalVoucher, withdrawalDomain, withdrawalTypes } from '@clearwell/vault/abi/withdrawal-typed-data'
import { getAddress, type Hex } from 'viem'
import * as z from 'zod/mini'
import { tokenOf, withdrawCall } from '../features/wallet/voucher.ts'
import type { Config } from '../load-config.ts'
import { movementId } from '../platform/chain/chain.ts'
import { readKind } from '../platform/chain/check-vault-kind.ts'
import { readHoldings } from '../platform/chain/read-holdings.ts'
import { unitOf } from '../platform/custody/deposit-desk.ts'
import { creditStranded, signVaultTransfers } from '../platform/custody/move-vault.ts'
import { readStranded, type StrandedRow } from '../platform/custody/stranded-deposits.ts'
import { readVaultBooks, readVaultHolding, VAULT_ASSETS, type VaultAsset } from '../platform/custody/vault-books.ts'
import { signerAccount } from '../platform/signer/open-signer.ts'
import { type Arguments, failure, type Outcome } from './command.ts'
import { findExitTransferFault, signExitTransfer } from './exit-vault-moves.ts'
import type { OpenedChain } from './open-books.ts'
import { perform, requestAction, WAITING } from './request-action.ts'

/** Vouchers for one asset of one vault: more wait for the next call. */
const MAX_VOUCHERS = 20
/** Deposits that one command credits. */
const MAX_CREDITED = 500
const VOUCHER_SECONDS = 3_600n

/** A vault command's ledger, chain and arguments. */
export interface VaultDeps extends OpenedChain {
  readonly config: Config
  readonly db: Database
  readonly args: Pick<Arguments, 'json' | 'execute'> & { readonly reason: string }
}

interface Transfer {
  readonly from: Hex
  readonly asset: VaultAsset
  readonly voucher: WithdrawalVoucher
}

/** Reads the amounts that a vault holds at the chain's head, in Clearwell's decimals. */
export async function holdingsOf(
  { client, custody, chain }: Pick<VaultDeps, 'client' | 'custody' | 'chain'>,
  vault: Hex,
): Promise<{ asset: VaultAsset; units: bigint }[]> {
  const { number } = await chain.head()
  return readHoldings(client, { chainId: chain.id, custody, vault }, number)
}

/**
 * Signs vouchers that pay the money of the replaced vaults to the ledger's vault. They pay no other account, so a voucher
 * that is lost or sent by somebody else does no harm.
 */
export async function transfer(deps: VaultDeps): Promise<Outcome> {
  const { config, db, custody, chain, args } = deps
  const vaults = custody.replacedVaults ?? []
  const faults = (await Promise.all(vaults.map((vault) => findTransferFault(deps, vault)))).flatMap(
    (each) => each ?? [],
  )
  if (faults.length > 0) return { text: '', faults, exitCode: 1 }
  const transfers = (await Promise.all(vaults.map((vault) => planTransfers(deps, vault)))).flat()
  if (transfers.length === 0)
    return { text: 'The replaced vaults hold nothing that their limits let out now.', faults: [], exitCode: 0 }
  const payload = {
    chainId: String(chain.id),
    to: custody.vault.toLowerCase(),
    transfers: transfers.map(({ from, asset, voucher }) => ({
      from,
      asset,
      units: String(voucher.amount * unitOf(custody, asset)),
      nonce: String(voucher.nonce),
    })),
  }
  const result = await perform(config, db, { action: signVaultTransfers, payload, args })
  if (result.executed) return signTransfers(deps, payload.transfers, result.text)
  const { exitCode, ...waiting } = result.outcome
  const next = 'Once it is executed, `vault transfer --request <request>` prints the vouchers.'
  return exitCode === WAITING && !args.json
    ? { ...waiting, text: `${waiting.text}\n\n${next}`, exitCode }
    : result.outcome
}

/** Signs the vouchers of a request that was executed. Each pays once, however often it is signed. */
export async function transferOf(deps: VaultDeps, requestId: string): Promise<Outcome> {
  const [row] = await deps.db.query<{ payload: string; result: string }>(
    'select payload, result from operator_actions where id = $1 and kind = $2',
    [requestId, signVaultTransfers.kind],
  )
  if (!row) return failure(`No executed request ${JSON.stringify(requestId)} transfers money to the vault.`)
  return signTransfers(deps, z.parse(signVaultTransfers.payload, JSON.parse(row.payload)).transfers, row.result)
}

async function signTransfers(
  { config, custody, chain, client, args }: VaultDeps,
  transfers: z.output<typeof signVaultTransfers.payload>['transfers'],
  result: string,
): Promise<Outcome> {
  const account = signerAccount(config)
  const { time } = await chain.head()
  const deadline = BigInt(time.getTime()) / 1000n + VOUCHER_SECONDS
  const calls = await Promise.all(
    transfers.map(async ({ from, asset, units, nonce }) => {
      const amount = BigInt(units) / unitOf(custody, asset)
      const voucher = {
        ...{ account: getAddress(custody.vault), asset: tokenOf(custody, asset) },
        ...{ amount, nonce: BigInt(nonce), deadline },
      }
      const of = { chainId: chain.id, vault: from as Hex }
      if ((await readKind(client, of.vault)) === 'exits')
        return { to: from, calldata: await signExitTransfer(account, of, voucher) }
      const typed = { types: withdrawalTypes, primaryType: 'Withdrawal', message: voucher } as const
      const signature = await account.signTypedData({ domain: withdrawalDomain(of), ...typed })
      return { to: from, calldata: withdrawCall(voucher, signature) }
    }),
  )
  const text = args.json
    ? JSON.stringify({ executed: true, result, transactions: calls }, null, 2)
    : [
        result,
        'Send within an hour, from any wallet and in this order:',
        ...calls.flatMap(({ to, calldata }) => [`  a transaction to ${to} with this data:`, `  ${calldata}`]),
      ].join('\n')
  return { text, faults: [], exitCode: 0 }
}

/** Finds the reason why a vault would reject the vouchers, if there is one. */
async function findTransferFault(deps: VaultDeps, vault: Hex): Promise<string | undefined> {
  const { config, client } = deps
  if ((await readKind(client, vault)) === 'exits') {
    // An empty one needs no successor any more: another vault may have followed since.
    const held = await holdingsOf(deps, vault)
    return held.every(({ units }) => units === 0n) ? undefined : findExitTransferFault(deps, vault)
  }
  const call = { address: vault, abi: clearwellVaultAbi } as const
  const isPaused = await client.readContract({ ...call, functionName: 'paused' })
  if (isPaused) return `The replaced vault ${vault} is paused, so it pays nothing: its owner must end the pause.`
  const signer = await client.readContract({ ...call, functionName: 'signer' })
  const { address } = signerAccount(config)
  if (signer === address) return undefined
  return `The replaced vault ${vault} accepts vouchers of ${signer} and not of ${address}: run the command with that SIGNER_KEY, or have the owner of the vault call setSigner.`
}

async function planTransfers(deps: VaultDeps, vault: Hex): Promise<Transfer[]> {
  const { chain, client, custody } = deps
  const { time } = await chain.head()
  const deadline = BigInt(time.getTime()) / 1000n + VOUCHER_SECONDS
  const call = { address: vault, abi: clearwellVaultAbi } as const
  const kind = await readKind(client, vault)
  const planned = await Promise.all(
    (await holdingsOf(deps, vault)).map(async ({ asset, units }) => {
      const token = tokenOf(custody, asset)
      const voucherOf = (amount: bigint) => {
        const nonce = BigInt(`0x${randomBytes(16).toString('hex')}`)
        const voucher = { account: getAddress(custody.vault), asset: token, amount, nonce, deadline }
        return { from: vault, asset, voucher }
      }
      // Limits do not apply to payments to the successor.
      if (kind === 'exits') return units === 0n ? [] : [voucherOf(units / unitOf(custody, asset))]
      const [perVoucher] = await client.readContract({ ...call, functionName: 'limitsOf', args: [token] })
      const available = await client.readContract({ ...call, functionName: 'availableToWithdraw', args: [token] })
      const amounts = split(lower(units / unitOf(custody, asset), available), perVoucher)
      return amounts.map(voucherOf)
    }),
  )
  return planned.flat()
}

/** Splits an amount into at most {@link MAX_VOUCHERS} parts of at most `most`. */
function split(amount: bigint, most: bigint): bigint[] {
  const parts: bigint[] = []
  for (let left = amount; left > 0n && most > 0n && parts.length < MAX_VOUCHERS; left -= lower(left, most))
    parts.push(lower(left, most))
  return parts
}

/**
 * Credits deposits that reached a replaced vault, oldest first, as far as the ledger's vault holds more than is owed.
 *
 * @param txHash only the deposits of this transaction.
 */
export async function credit(deps: VaultDeps, txHash: string | undefined): Promise<Outcome> {
  const { config, db, chain, custody, args } = deps
  const rows = await readStranded(db, { txHash, limit: MAX_CREDITED })
  if (rows.length === 0)
    return { text: 'No deposit into a replaced vault waits for its credit.', faults: [], exitCode: 0 }
  const gone = await findGone(deps, rows)
  if (gone) return failure(`The deposit ${gone.tx_hash} is not on the chain any more. Credit the others one by one.`)
  const books = await readOneMoment(db, (tx) => readVaultBooks(tx, chain.id))
  if (!books) return failure('The watcher has not read a block yet.')
  const held = await readVaultHolding(chain, books.cursor)
  const left = new Map(VAULT_ASSETS.map((asset) => [asset as string, held[asset] - books.owed[asset]]))
  const covered = rows.filter(({ asset, units }) => {
    const room = (left.get(asset) ?? 0n) - units
    if (room >= 0n) left.set(asset, room)
    return room >= 0n
  })
  if (covered.length === 0)
    return failure(
      'The vault holds no more than is owed: move the money of these deposits first, with `vault transfer`.',
    )
  const payload = {
    chainId: chain.id,
    vault: custody.vault.toLowerCase(),
    operator: custody.operator,
    owed: Object.fromEntries(VAULT_ASSETS.map((asset) => [asset, String(books.owed[asset])])),
    deposits: covered.map((row) => ({
      id: row.id,
      account: row.user_id,
      asset: row.asset as VaultAsset,
      units: String(row.units),
      txHash: row.tx_hash,
      logIndex: row.log_index,
      blockNumber: String(row.block_number),
      orderId: row.order_id,
    })),
  }
  const outcome = await requestAction(config, db, { action: creditStranded, payload, args })
  const waiting = rows.length - covered.length
  if (waiting === 0 || outcome.exitCode !== 0) return outcome
  return { ...outcome, faults: [`${waiting} deposits wait until their money is moved.`], exitCode: 1 }
}

/** Finds a recorded deposit that the chain does not have any more. */
async function findGone({ chain }: VaultDeps, rows: readonly StrandedRow[]): Promise<StrandedRow | undefined> {
  for (const [number, ofBlock] of Map.groupBy(rows, (row) => row.block_number)) {
    const { deposits } = await chain.movements({ from: number, to: number })
    const found = new Map(deposits.map((deposit) => [movementId(chain.id, deposit), deposit]))
    const gone = ofBlock.find((row) => found.get(row.id)?.units !== row.units)
    if (gone) return gone
  }
  return undefined
}

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { erc20Abi, getAbiItem, type LogTopic, padHex, toEventSelector, zeroAddress, zeroHash } from 'viem'
import type { ChainDeposit, ChainMovements, ChainWithdrawal, Custody } from './chain.ts'
import { ChainFault } from './chain-fault.ts'
import { hexOf, type NodeLog } from './check-logs.ts'

const LEDGER_DECIMALS = 18
/** A trillion: no asset has a supply near it, so nobody can pay as much. */
const MAX_UNITS = 10n ** 12n * 10n ** BigInt(LEDGER_DECIMALS)

const DEPOSITED = toEventSelector(getAbiItem({ abi: clearwellVaultAbi, name: 'Deposited' }))
const WITHDRAWN = toEventSelector(getAbiItem({ abi: clearwellVaultAbi, name: 'Withdrawn' }))
const TRANSFER = toEventSelector(getAbiItem({ abi: erc20Abi, name: 'Transfer' }))

type Token = Custody['tokens'][number]
/** What a log says of money: `asset` is a contract's address, or the zero address for the native coin. */
interface Told {
  readonly log: NodeLog
  readonly account: string
  readonly asset: string
  readonly amount: bigint
  /** The order of a deposit, the nonce of a withdrawal. */
  readonly mark: string
}

/** What the logs of the vault and of its tokens tell of money that came or went. */
export interface VaultLogs {
  /** What to ask a node for. */
  readonly filter: { readonly address: `0x${string}`[]; readonly topics: LogTopic[] }
  /**
   * What logs tell that were asked for with the filter.
   *
   * @throws ChainFault when one of them does not fit the filter, or tells of an amount that cannot be.
   */
  readAsked(logs: readonly NodeLog[]): ChainMovements
  /** What the logs of a transaction tell, whatever else is among them. @throws ChainFault */
  readAny(logs: readonly NodeLog[]): ChainMovements
  /** Units of the chain in Clearwell's decimals. @throws ChainFault when nobody can have as much. */
  toLedger(amount: bigint, asset: string): bigint
}

/**
 * A payment is the vault's own `Deposited` event, or a plain token transfer to the vault that no such event accounts
 * for: nothing that is sent is ever lost. A payment out is the vault's `Withdrawn` event.
 */
export function createVaultLogs(custody: Custody): VaultLogs {
  const vault = custody.vault.toLowerCase()
  const vaultTopic = padHex(custody.vault).toLowerCase()
  const tokens = new Map(custody.tokens.map((token) => [token.address.toLowerCase(), token]))
  /** The vault, where tokens go, and the assets that its own events name: one filter has both in the same place. */
  const places = [custody.vault, zeroAddress, ...custody.tokens.map(({ address }) => address)].map((each) =>
    padHex(each),
  )
  const assetTopics = new Set(places.slice(1).map((each) => each.toLowerCase()))

  function toLedger(amount: bigint, asset: string): bigint {
    const decimals = tokens.get(asset)?.decimals ?? LEDGER_DECIMALS
    const units = amount * 10n ** BigInt(LEDGER_DECIMALS - decimals)
    if (units > MAX_UNITS) throw new ChainFault('absurd_amount', `the node tells of ${amount} units of ${asset}`)
    return units
  }

  /** @param isAsked the filter was asked for, so that whatever does not fit it is a lie. */
  function read(logs: readonly NodeLog[], isAsked: boolean): ChainMovements {
    const deposited: Told[] = []
    const withdrawn: Told[] = []
    const transferred: Told[] = []
    for (const log of logs) {
      const [event, , second] = log.topics
      const isVaults = log.address === vault && (event === DEPOSITED || event === WITHDRAWN)
      const isTransfer = tokens.has(log.address) && event === TRANSFER && second === vaultTopic
      const told = isVaults ? tellOfVault(log) : isTransfer ? tellOfTransfer(log) : undefined
      // The vault may accept a token that Clearwell does not list.
      const isListed = told && (told.asset === zeroAddress || tokens.has(told.asset))
      // Anyone can burn a token or send it to a token's contract: the filter lets that through, and it is nobody's payment.
      const isAstray = tokens.has(log.address) && event === TRANSFER && assetTopics.has(second ?? '')
      if (isListed) (isTransfer ? transferred : event === DEPOSITED ? deposited : withdrawn).push(told)
      else if (isAsked && !isAstray) {
        throw new ChainFault(
          'not_asked',
          `the node answered log ${log.logIndex} of ${log.txHash}, which was not asked for`,
        )
      }
    }
    const deposits = [...deposited, ...plainTransfers(transferred, deposited)].map(depositOf)
    return {
      deposits: deposits.filter((deposit) => deposit.units > 0n).sort(inOrderOfChain),
      withdrawals: withdrawn.map(withdrawalOf).sort(inOrderOfChain),
    }
  }

  function common({ log, account, asset, amount }: Told) {
    const { txHash, logIndex, blockNumber, blockHash } = log
    const place = { txHash, logIndex, blockNumber, blockHash }
    return { ...place, account, asset: assetOf(tokens.get(asset)), units: toLedger(amount, asset) }
  }

  function depositOf(told: Told): ChainDeposit {
    return { ...common(told), orderId: told.mark === zeroHash ? null : told.mark }
  }

  function withdrawalOf(told: Told): ChainWithdrawal {
    return { ...common(told), nonce: BigInt(told.mark) }
  }

  return {
    // One question for all kinds of logs, so that the answers are of the same moment: `Deposited` and `Withdrawn` of an
    // asset that is listed, `Transfer` to the vault. Without it a node would tell of everyone's transfers of a token.
    filter: {
      address: [custody.vault, ...custody.tokens.map((token) => token.address)],
      topics: [[DEPOSITED, WITHDRAWN, TRANSFER], null, places],
    },
    readAsked: (logs) => read(logs, true),
    readAny: (logs) => read(logs, false),
    toLedger,
  }
}

/** Token transfers to the vault, less those that belong to a `Deposited` event of the same transaction. */
function plainTransfers(transfers: readonly Told[], deposits: readonly Told[]): Told[] {
  const left = new Map<string, Told[]>()
  const keyOf = ({ log, asset }: Told) => `${log.txHash} ${asset}`
  for (const transfer of transfers) left.set(keyOf(transfer), [...(left.get(keyOf(transfer)) ?? []), transfer])
  for (const deposit of deposits) {
    // `deposit` pulls the tokens and then emits: its transfer is the last one of that token before the event.
    const candidates = left.get(keyOf(deposit)) ?? []
    const own = candidates.findLast((transfer) => transfer.log.logIndex < deposit.log.logIndex)
    if (own) candidates.splice(candidates.indexOf(own), 1)
  }
  return [...left.values()].flat()
}

/** `Deposited` and `Withdrawn` are made alike: account, asset and a mark are topics, the amount is the data. */
function tellOfVault(log: NodeLog): Told {
  const [, account, asset, mark] = log.topics
  if (log.topics.length !== 4 || mark === undefined) throw malformed(log)
  return { log, account: addressIn(log, account), asset: addressIn(log, asset), amount: amountIn(log), mark }
}

function tellOfTransfer(log: NodeLog): Told {
  if (log.topics.length !== 3) throw malformed(log)
  return { log, account: addressIn(log, log.topics[1]), asset: log.address, amount: amountIn(log), mark: zeroHash }
}

function addressIn(log: NodeLog, topic: string | undefined): string {
  if (!topic?.startsWith(`0x${'0'.repeat(24)}`)) throw malformed(log)
  return `0x${topic.slice(26)}`
}

function amountIn(log: NodeLog): bigint {
  return BigInt(hexOf(log.data, 32, 'the data of a log'))
}

function malformed(log: NodeLog): ChainFault {
  return new ChainFault(
    'malformed',
    `the node answered log ${log.logIndex} of ${log.txHash} in another form than its event`,
  )
}

function assetOf(token: Token | undefined): ChainDeposit['asset'] {
  return token?.asset ?? 'BNB'
}

function inOrderOfChain(a: { blockNumber: bigint; logIndex: number }, b: typeof a): number {
  return a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1
}

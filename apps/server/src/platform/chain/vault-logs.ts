import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import {
  decodeEventLog,
  encodeEventTopics,
  erc20Abi,
  getAbiItem,
  type Hex,
  type LogTopic,
  padHex,
  toEventSelector,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { ChainDeposit, ChainExit, ChainMovements, ChainWithdrawal, Custody } from './chain.ts'
import { ChainFault } from './chain-fault.ts'
import { hexOf, type NodeLog } from './check-logs.ts'

const LEDGER_DECIMALS = 18
/** A trillion whole tokens: no asset's supply comes near, so no payment can be as large. */
const MAX_UNITS = 10n ** 12n * 10n ** BigInt(LEDGER_DECIMALS)

/** The events of payments. */
const EVENTS = [
  getAbiItem({ abi: clearwellVaultAbi, name: 'Deposited' }),
  getAbiItem({ abi: clearwellVaultAbi, name: 'Withdrawn' }),
  getAbiItem({ abi: erc20Abi, name: 'Transfer' }),
  // The other two events of the vault with exits are the same.
  getAbiItem({ abi: exitVaultAbi, name: 'Exited' }),
] as const
const [DEPOSITED, WITHDRAWN, TRANSFER, EXITED] = EVENTS.map((event) => toEventSelector(event)) as [Hex, Hex, Hex, Hex]

/** Amount, receiver and root. */
const EXITED_BYTES = 96

/** A payment decoded from a log. */
interface LoggedPayment {
  readonly log: NodeLog
  readonly event: 'Deposited' | 'Withdrawn' | 'Transfer' | 'Exited'
  /** The vault that was paid or that paid, in lower case. */
  readonly vault: string
  /** In lower case. */
  readonly account: string
  /** The contract's address in lower case, or the zero address for the native coin. */
  readonly asset: string
  readonly amount: bigint
  /** Of a deposit. */
  readonly orderId: Hex | null
  /** Of a withdrawal. */
  readonly nonce: bigint
  /** Of an exit: the address that was paid, in lower case. */
  readonly to: string
}

/** Reads payments from the logs of the vault and of its tokens. */
export interface VaultLogs {
  /** The filter for a request of logs. */
  readonly filter: { readonly address: `0x${string}`[]; readonly topics: LogTopic[] }
  /**
   * Reads the payments in logs that were requested with the filter.
   *
   * @throws ChainFault when one of them does not match the filter, or names an impossible amount.
   */
  readFiltered(logs: readonly NodeLog[]): ChainMovements
  /** Reads the payments among all logs of a transaction. @throws ChainFault */
  readAny(logs: readonly NodeLog[]): ChainMovements
  /** Converts the chain's units to Clearwell's decimals. @throws ChainFault for an impossible amount. */
  toLedger(amount: bigint, asset: string): bigint
}

/**
 * Counts as a deposit the vault's own `Deposited` event, or a plain token transfer to the vault without such an event, so
 * that no transfer is lost. A withdrawal is the vault's `Withdrawn` event, and an exit its `Exited` event. Replaced vaults are read in the same way, and
 * payments between two vaults are left out: the money stays in custody.
 */
export function createVaultLogs(custody: Custody): VaultLogs {
  const addresses = addressesOf(custody)
  return {
    // One request for all kinds of logs, so that they are consistent: `Deposited`, `Withdrawn` and `Exited` of a listed asset, and
    // `Transfer` to the vault. Without the filter a node would return everyone's transfers of a token.
    filter: {
      address: [custody.vault, ...custody.tokens.map((token) => token.address), ...(custody.replacedVaults ?? [])],
      topics: [[DEPOSITED, WITHDRAWN, TRANSFER, EXITED], null, addresses.secondTopics],
    },
    readFiltered: (logs) => readMovements(addresses, logs, true),
    readAny: (logs) => readMovements(addresses, logs, false),
    toLedger: (amount, asset) => toLedger(addresses, amount, asset),
  }
}

/** The custody addresses in the forms that logs use. */
function addressesOf({ vault, tokens, replacedVaults = [] }: Custody) {
  const vaults = [vault, ...replacedVaults]
  const assets = [zeroAddress, ...tokens.map(({ address }) => address)].map((each) => padHex(each))
  return {
    vaults: new Set<string>(vaults.map((each) => each.toLowerCase())),
    replacedVaults: new Set<string>(replacedVaults),
    vaultOfTopic: new Map<string, string>(vaults.map((each) => [padHex(each).toLowerCase(), each.toLowerCase()])),
    tokens: new Map(tokens.map((token) => [token.address.toLowerCase(), token])),
    /** The receivers of transfers and the assets of the vault's events: a filter has both at the same position. */
    secondTopics: [padHex(vault), ...assets, ...replacedVaults.map((each) => padHex(each))],
    assetTopics: new Set<string>(assets.map((each) => each.toLowerCase())),
  }
}

type Addresses = ReturnType<typeof addressesOf>

/** @param isFiltered the logs were requested with the filter, so a log that does not match it is a fault. */
function readMovements(addresses: Addresses, logs: readonly NodeLog[], isFiltered: boolean): ChainMovements {
  const payments: LoggedPayment[] = []
  for (const log of logs) {
    const payment = paymentIn(log, addresses)
    if (payment) payments.push(payment)
    else if (isFiltered && !isUnrelated(log, addresses)) {
      throw new ChainFault(
        'not_asked',
        `the node returned log ${log.logIndex} of ${log.txHash}, which was not requested`,
      )
    }
  }
  const of = (event: LoggedPayment['event']) => payments.filter((each) => each.event === event)
  const isOutside = ({ account }: LoggedPayment) => !addresses.vaults.has(account)
  const deposited = of('Deposited')
  const deposits = [...deposited, ...plainTransfers(of('Transfer'), deposited)].filter(isOutside).map(
    (each): ChainDeposit => ({
      ...movementOf(each, addresses),
      orderId: each.orderId,
      ...(each.event === 'Transfer' ? { isPlainTransfer: true } : {}),
    }),
  )
  const withdrawals = of('Withdrawn')
    .filter(isOutside)
    .map((each): ChainWithdrawal => ({ ...movementOf(each, addresses), nonce: each.nonce }))
  const exits = of('Exited').map((each): ChainExit => ({ ...movementOf(each, addresses), to: each.to }))
  return {
    deposits: deposits.filter((deposit) => deposit.units > 0n).sort(inOrderOfChain),
    withdrawals: withdrawals.sort(inOrderOfChain),
    ...(exits.length > 0 ? { exits: exits.sort(inOrderOfChain) } : {}),
  }
}

/** Decodes a log's payment of a listed asset, if any. The vault may accept a token that Clearwell does not list. */
function paymentIn(log: NodeLog, { vaults, vaultOfTopic, tokens }: Addresses): LoggedPayment | undefined {
  const [event, , second] = log.topics
  const isVaults = vaults.has(log.address) && (event === DEPOSITED || event === WITHDRAWN || event === EXITED)
  const receiver = tokens.has(log.address) && event === TRANSFER ? vaultOfTopic.get(second ?? '') : undefined
  const vault = isVaults ? log.address : receiver
  if (vault === undefined) return undefined
  const payment = { ...decode(log), vault }
  return payment.asset === zeroAddress || tokens.has(payment.asset) ? payment : undefined
}

/** True for tokens burned or sent to a token's contract: the filter matches them, but they are no payment. */
function isUnrelated({ address, topics: [event, , second] }: NodeLog, { tokens, assetTopics }: Addresses): boolean {
  return tokens.has(address) && event === TRANSFER && assetTopics.has(second ?? '')
}

/** @throws ChainFault unless the log is exactly the encoding of its event. */
function decode(log: NodeLog): Omit<LoggedPayment, 'vault'> {
  const event = decodedEvent(log)
  const none = { log, orderId: null, nonce: 0n, to: '' }
  switch (event.eventName) {
    case 'Deposited': {
      const { account, asset, amount, orderId } = event.args
      const order = orderId === zeroHash ? null : orderId
      return { ...none, event: event.eventName, ...inLowerCase({ account, asset }), amount, orderId: order }
    }
    case 'Withdrawn': {
      const { account, asset, amount, nonce } = event.args
      return { ...none, event: event.eventName, ...inLowerCase({ account, asset }), amount, nonce }
    }
    case 'Exited': {
      const { account, asset, amount, to } = event.args
      return { ...none, event: event.eventName, ...inLowerCase({ account, asset }), amount, to: to.toLowerCase() }
    }
    case 'Transfer': {
      const { from, value } = event.args
      return { ...none, event: event.eventName, account: from.toLowerCase(), asset: log.address, amount: value }
    }
  }
}

function decodedEvent(log: NodeLog) {
  hexOf(log.data, log.topics[0] === EXITED ? EXITED_BYTES : 32, 'the data of a log')
  try {
    const event = decodeEventLog({ abi: EVENTS, topics: log.topics as [Hex, ...Hex[]], data: log.data as Hex })
    // The decoder ignores an extra topic and the bytes before an address.
    const topics = encodeEventTopics({ abi: EVENTS, eventName: event.eventName, args: event.args } as never) as Hex[]
    if (topics.length === log.topics.length && topics.every((topic, index) => topic === log.topics[index])) return event
  } catch {
    // Reported below.
  }
  throw new ChainFault(
    'malformed',
    `the node returned log ${log.logIndex} of ${log.txHash} in another form than its event`,
  )
}

function inLowerCase({ account, asset }: { account: string; asset: string }) {
  return { account: account.toLowerCase(), asset: asset.toLowerCase() }
}

function movementOf({ log, account, asset, amount, vault }: LoggedPayment, addresses: Addresses) {
  const { txHash, logIndex, blockNumber, blockHash } = log
  const units = toLedger(addresses, amount, asset)
  return {
    txHash,
    logIndex,
    blockNumber,
    blockHash,
    account,
    asset: addresses.tokens.get(asset)?.asset ?? 'BNB',
    units,
    ...(addresses.replacedVaults.has(vault) ? { replacedVault: vault } : {}),
  }
}

function toLedger({ tokens }: Addresses, amount: bigint, asset: string): bigint {
  const decimals = tokens.get(asset)?.decimals ?? LEDGER_DECIMALS
  const units = amount * 10n ** BigInt(LEDGER_DECIMALS - decimals)
  if (units > MAX_UNITS) throw new ChainFault('absurd_amount', `the node reports ${amount} units of ${asset}`)
  return units
}

/** Token transfers to the vault, less those that belong to a `Deposited` event of the same transaction. */
function plainTransfers(transfers: readonly LoggedPayment[], deposits: readonly LoggedPayment[]): LoggedPayment[] {
  const left = new Map<string, LoggedPayment[]>()
  const keyOf = ({ log, asset, vault }: LoggedPayment) => `${log.txHash} ${asset} ${vault}`
  for (const transfer of transfers) left.set(keyOf(transfer), [...(left.get(keyOf(transfer)) ?? []), transfer])
  for (const deposit of deposits) {
    // `deposit` pulls the tokens and then emits its event, so its transfer is the token's last one before the event.
    const candidates = left.get(keyOf(deposit)) ?? []
    const own = candidates.findLast((transfer) => transfer.log.logIndex < deposit.log.logIndex)
    if (own) candidates.splice(candidates.indexOf(own), 1)
  }
  return [...left.values()].flat()
}

function inOrderOfChain(a: { blockNumber: bigint; logIndex: number }, b: typeof a): number {
  return a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1
}

import { type AbiParameter, concatHex, encodeAbiParameters, hashTypedData } from 'viem'
import type { Hex } from './bytes.ts'

/**
 * Summary of the books at one batch: a root key and a bookkeeper sign it, and the vault keeps its hash. It is a pure function
 * of the committed ledger, so every server makes the same one for the same batch.
 */
export interface Header {
  /** Number of the committed batch. Rises, may skip. */
  readonly number: bigint
  /** Hash of the last header that the ledger recorded; zeros before the first. */
  readonly previous: Hex
  readonly ledgerSeq: bigint
  readonly entryHash: Hex
  /** The watcher's final block: number, hash, and time in seconds. */
  readonly cursorBlock: bigint
  readonly cursorHash: Hex
  readonly cursorTime: number
  readonly positionsRoot: Hex
  readonly pools: Hex
  /** Hash of the rules and of the money parameters. */
  readonly rules: Hex
  /** The last closed day of boxes, in days since 1970, and its root. */
  readonly boxDay: number
  readonly boxRoot: Hex
  /** Hash chain of the proof data up to here. */
  readonly dataHash: Hex
  /** Depth of every users tree. */
  readonly depth: number
  readonly rtRoot: Hex
  readonly rtUsers: bigint
  readonly assets: readonly AssetFigures[]
}

/** The ledger's debts in one asset, in base units. `users`, `lending`, `payouts` and `house` add up to it. */
export interface AssetFigures {
  readonly token: Hex
  readonly root: Hex
  /** Sum of the users tree. */
  readonly users: bigint
  /** Cash of the lending pool and collateral. */
  readonly lending: bigint
  /** Amounts locked for transfers out of the treasury. */
  readonly payouts: bigint
  /** The operator's money: it ranks behind the other three. */
  readonly house: bigint
  /** Locked amounts of all open orders, users' and treasury's. */
  readonly locked: bigint
  /** Totals of the vault as booked at the cursor. */
  readonly depositedSeen: bigint
  readonly paidSeen: bigint
  readonly exitedSeen: bigint
  /** Payments to the operator's payout address, a part of `paidSeen`. */
  readonly payoutPaidSeen: bigint
}

/** The vault that a header belongs to. */
export interface HeaderDomain {
  readonly chainId: number
  readonly vault: Hex
}

/** The types of EIP-712: order and names are part of the hash, and the vault has the same. */
const HEADER_TYPES = {
  Header: [
    { name: 'number', type: 'uint64' },
    { name: 'previous', type: 'bytes32' },
    { name: 'ledgerSeq', type: 'uint64' },
    { name: 'entryHash', type: 'bytes32' },
    { name: 'cursorBlock', type: 'uint64' },
    { name: 'cursorHash', type: 'bytes32' },
    { name: 'cursorTime', type: 'uint40' },
    { name: 'positionsRoot', type: 'bytes32' },
    { name: 'pools', type: 'bytes32' },
    { name: 'rules', type: 'bytes32' },
    { name: 'boxDay', type: 'uint32' },
    { name: 'boxRoot', type: 'bytes32' },
    { name: 'dataHash', type: 'bytes32' },
    { name: 'depth', type: 'uint8' },
    { name: 'rtRoot', type: 'bytes32' },
    { name: 'rtUsers', type: 'uint128' },
    { name: 'assets', type: 'AssetFigures[]' },
  ],
  AssetFigures: [
    { name: 'token', type: 'address' },
    { name: 'root', type: 'bytes32' },
    { name: 'users', type: 'uint128' },
    { name: 'lending', type: 'uint128' },
    { name: 'payouts', type: 'uint128' },
    { name: 'house', type: 'uint128' },
    { name: 'locked', type: 'uint128' },
    { name: 'depositedSeen', type: 'uint128' },
    { name: 'paidSeen', type: 'uint128' },
    { name: 'exitedSeen', type: 'uint128' },
    { name: 'payoutPaidSeen', type: 'uint128' },
  ],
} as const

/** Returns the digest of EIP-712 that both keys sign. It is also the header's hash. */
export function hashHeader(header: Header, { chainId, vault }: HeaderDomain): Hex {
  return hashTypedData({
    domain: { name: 'Clearwell Vault', version: '2', chainId, verifyingContract: vault },
    types: HEADER_TYPES,
    primaryType: 'Header',
    message: header,
  })
}

/** Returns a header as the vault takes it: its fields, then those of each asset, each as one word of 32 bytes. */
export function encodeHeader(header: Header): Hex {
  const [head, ofAsset] = [HEADER_TYPES.Header.slice(0, -1), HEADER_TYPES.AssetFigures]
  return concatHex([wordsOf(head, header), ...header.assets.map((each) => wordsOf(ofAsset, each))])
}

function wordsOf(types: readonly AbiParameter[], values: object): Hex {
  const named = values as Readonly<Record<string, unknown>>
  return encodeAbiParameters(
    types,
    types.map(({ name = '' }) => named[name]),
  )
}

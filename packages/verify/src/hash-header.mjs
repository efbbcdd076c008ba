// @ts-check
import { fromHex, join, toHex, uintOf } from './hash-bytes.mjs'
import { keccak256 } from './keccak.mjs'

/**
 * The hash of a header by EIP-712, with separate code. Amounts and numbers are decimal text, hashes are hex.
 *
 * @typedef {Record<string, string | number>} Fields
 * @typedef {{ chainId: number, verifyingContract: string }} Domain
 */

/** The fields in their order: they are part of the hash. */
const HEADER = [
  ...['uint64 number', 'bytes32 previous', 'uint64 ledgerSeq', 'bytes32 entryHash', 'uint64 cursorBlock'],
  ...['bytes32 cursorHash', 'uint40 cursorTime', 'bytes32 positionsRoot', 'bytes32 pools', 'bytes32 rules'],
  ...['uint32 boxDay', 'bytes32 boxRoot', 'bytes32 dataHash', 'uint8 depth', 'bytes32 rtRoot', 'uint128 rtUsers'],
]
const FIGURES = [
  ...['address token', 'bytes32 root', 'uint128 users', 'uint128 lending', 'uint128 payouts', 'uint128 house'],
  ...['uint128 locked', 'uint128 depositedSeen', 'uint128 paidSeen', 'uint128 exitedSeen', 'uint128 payoutPaidSeen'],
]
const DOMAIN = ['string name', 'string version', 'uint256 chainId', 'address verifyingContract']

const FIGURES_TYPE = `AssetFigures(${FIGURES.join(',')})`
const HEADER_TYPE = `Header(${HEADER.join(',')},AssetFigures[] assets)${FIGURES_TYPE}`
const DOMAIN_TYPE = `EIP712Domain(${DOMAIN.join(',')})`

/** @param {Fields & { assets: readonly Fields[] }} header @param {Domain} domain */
export function hashHeader(header, { chainId, verifyingContract }) {
  const { assets, ...fields } = header
  const figures = assets.map((each) => keccak256(join(hashText(FIGURES_TYPE), ...words(FIGURES, each))))
  const struct = keccak256(join(hashText(HEADER_TYPE), ...words(HEADER, fields), keccak256(join(...figures))))
  const name = [hashText('Clearwell Vault'), hashText('2')]
  const separator = join(
    hashText(DOMAIN_TYPE),
    ...name,
    uintOf(BigInt(chainId), 32),
    word('address', verifyingContract),
  )
  return toHex(keccak256(join([0x19, 0x01], keccak256(separator), struct)))
}

/** @param {string} text */
function hashText(text) {
  return keccak256(new TextEncoder().encode(text))
}

/** @param {readonly string[]} types @param {Fields} values */
function words(types, values) {
  return types.map((each) => {
    const [type = '', name = ''] = each.split(' ')
    return word(type, `${values[name]}`)
  })
}

/** Each field is a word of 32 bytes, its number at the end. @param {string} type @param {string} value */
function word(type, value) {
  if (type === 'bytes32') return fromHex(value, 32)
  if (type === 'address') return join(new Uint8Array(12), fromHex(value, 20))
  const bits = Number(type.slice(4))
  return join(new Uint8Array(32 - bits / 8), uintOf(BigInt(value), bits / 8))
}

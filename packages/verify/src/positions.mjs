// @ts-check
import { fromHex, join, sha256, toHex, uint128 } from './hash-bytes.mjs'

/**
 * Checks the pledges and open loan orders of one account against the positions tree of a header.
 *
 * @typedef {{ hash: string, side: string }} Step
 * @typedef {{ salt: string, index: number, path: Step[] }} Place
 * @typedef {Place & { kind: 'pledge', asset: string, shares: string }} Pledge
 * @typedef {Place & { kind: 'order', order_id: string, collateral_asset: string, collateral: string, debt_asset: string, debt_shares: string }} Order
 * @typedef {Pledge | Order} Position
 * @typedef {{ account: string, tokens: Record<string, string>, header: { number: string, positionsRoot: string } & Record<string, any> }} Of
 *   `tokens` is the number of each asset in leaves
 */

/**
 * @param {readonly Position[]} positions
 * @param {Of} of
 * @throws {Error} at the first position that is not in the tree, or is there twice
 */
export async function checkPositions(positions, of) {
  const { number, positionsRoot } = of.header
  const places = new Set(positions.map(({ index }) => index))
  if (places.size < positions.length) throw new Error('two positions have one place')
  for (const position of positions)
    if ((await rootOfPosition(position, of)) !== positionsRoot)
      throw new Error(`the path of ${nameOf(position)} does not lead to the root in header ${number}`)
}

/** @param {Position} position */
function nameOf(position) {
  return position.kind === 'order' ? `loan order ${position.order_id}` : `the pledge of ${position.asset}`
}

/** Hashes a position and joins it with its path. @param {Position} position @param {Of} of */
async function rootOfPosition(position, of) {
  const { index, path } = position
  if (!Number.isInteger(index) || index < 0 || index >= 2 ** path.length) throw new Error(`${index} is no place`)
  let node = await hashPosition(position, of)
  for (const [height, { hash, side }] of path.entries()) {
    const isRight = ((index >>> height) & 1) === 1
    if (side !== (isRight ? 'left' : 'right'))
      throw new Error(`the path of ${nameOf(position)} is not the one of place ${index}`)
    const other = fromHex(hash, 32)
    node = await sha256(isRight ? join([0x12], other, node) : join([0x12], node, other))
  }
  return toHex(await sha256(join([0x14], [path.length], node)))
}

/** @param {Position} position @param {Of} of */
function hashPosition(position, { account, tokens }) {
  /** @param {string} asset */
  const token = (asset) => {
    const number = tokens[asset]
    if (number === undefined) throw new Error(`${asset} has no token`)
    return fromHex(number, 20)
  }
  const owner = join(fromHex(position.salt, 32), fromHex(account, 20))
  if (position.kind === 'pledge')
    return sha256(join([0x10], owner, token(position.asset), uint128(BigInt(position.shares))))
  const { order_id, collateral_asset, collateral, debt_asset, debt_shares } = position
  const secured = join(fromHex(order_id, 16), token(collateral_asset), uint128(BigInt(collateral)))
  return sha256(join([0x11], owner, secured, token(debt_asset), uint128(BigInt(debt_shares))))
}

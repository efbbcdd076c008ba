// @ts-check
import { fromHex, join, sha256, toHex, uint128 } from './hash-bytes.mjs'

/**
 * Finds the leaves of one account among anonymous ones. A leaf in the proof data has only its hash and its sum, so the own salt is hashed
 * with the sum and with each total that the own counters may have had.
 *
 * @typedef {import('./proof-data.mjs').UsersTree} UsersTree
 * @typedef {{ deposited: readonly bigint[], paid: readonly bigint[] }} Totals sums of the account's deposits to and payments from the
 *   vault that the ledger may have booked, the most likely first
 * @typedef {{ account: string, salt: string, place?: number | undefined, totalsOf: (token: string) => Totals }} Own `place` is the
 *   `index` of any earlier path: an account keeps it. Without it every leaf is tried
 * @typedef {{ kind: 'user', asset: string, free: string, deposited_seen: string, paid_seen: string, salt: string, index: number, path: { hash: string, sum: string, side: string }[] }} OwnLeaf
 */

/**
 * @param {readonly UsersTree[]} trees
 * @param {Own} own
 * @returns {Promise<{ leaves: OwnLeaf[], missing: string[] }>} `missing` names assets whose tree has a leaf at the account's place, but
 *   none of the totals fits
 */
export async function findOwnLeaves(trees, own) {
  /** @type {Map<string, OwnLeaf>} */
  const found = new Map()
  let place = own.place
  for (const tree of place === undefined ? [...trees, ...trees] : trees) {
    if (found.has(tree.asset)) continue
    const leaf = await findIn(tree, { ...own, place })
    if (leaf) found.set(tree.asset, leaf)
    place ??= leaf?.index
  }
  const missing = trees.filter(({ asset, leaves }) => !found.has(asset) && (place === undefined || leaves.has(place)))
  return {
    leaves: trees.flatMap(({ asset }) => found.get(asset) ?? []),
    missing: missing.map(({ asset }) => asset),
  }
}

/** Returns the totals after and before each of some amounts, such as the newest deposits. @param {bigint} now @param {readonly bigint[]} newest newest first */
export function totalsBefore(now, newest) {
  const totals = [now]
  for (const units of newest) totals.push((totals.at(-1) ?? 0n) - units)
  return totals.filter((total) => total >= 0n)
}

/** @param {UsersTree} tree @param {Own} own @returns {Promise<OwnLeaf | undefined>} */
async function findIn(tree, { account, salt, place, totalsOf }) {
  const { deposited, paid } = totalsOf(tree.token)
  const pairs = unique(deposited).flatMap((each) => unique(paid).map((other) => /** @type {const} */ ([each, other])))
  const places = place === undefined ? tree.leaves.keys() : [place]
  const id = join([0x00], fromHex(salt, 32), fromHex(account, 20), fromHex(tree.token, 20))
  for (const index of places) {
    const leaf = tree.leaves.get(index)
    if (!leaf) continue
    const hash = toHex(leaf.hash)
    for (const [depositedSeen, paidSeen] of pairs) {
      const amounts = [leaf.sum, depositedSeen, paidSeen].map(uint128)
      if (toHex(await sha256(join(id, ...amounts))) !== hash) continue
      const seen = { deposited_seen: `${depositedSeen}`, paid_seen: `${paidSeen}` }
      const path = tree.path(index)
      return { kind: 'user', asset: tree.asset, free: `${leaf.sum}`, ...seen, salt, index, path }
    }
  }
  return undefined
}

/** @param {readonly bigint[]} values */
function unique(values) {
  return [...new Set(values)].filter((each) => each >= 0n && each < 1n << 128n)
}

// @ts-check
import { hashHeader } from './hash-header.mjs'
import { findOwnLeaves } from './own-leaves.mjs'
import { buildTrees, readKeys, readProofData } from './proof-data.mjs'

/**
 * Builds an account's paths from files that everyone has after the end of a vault, and those that the account kept.
 *
 * @typedef {import('./own-leaves.mjs').OwnLeaf} OwnLeaf
 * @typedef {import('./own-leaves.mjs').Totals} Totals
 * @typedef {Record<string, any> & { number: string, hash: string, header: any }} Signed
 * @typedef {{ account: string, salt: string, place: number | undefined, seen: Totals }} Self
 * @typedef {{ number: bigint, isStored: (hash: string) => boolean, totalsOf: (token: string) => Totals }} Slots the vault's newest root,
 *   whether it has this header, and the counters of now
 * @typedef {{
 *   keys: string, headers: string, proof: string, number?: string, account?: string, salt?: string, totals?: Totals,
 *   readVault?: (vault: string, account: string, tokens: readonly string[]) => Promise<Slots>,
 * }} Files texts of the files
 */

/**
 * @param {Iterable<string> | AsyncIterable<string>} lines of `data.jsonl`
 * @param {Files} files
 * @returns {Promise<{ file: { format: string, chainId: number, vault: string, account: string, headers: Signed[], paths: [{ number: string, leaves: OwnLeaf[] }] }, missing: string[] }>}
 *   a file that the exit kit reads, and the assets whose leaf has other totals
 * @throws Error that names the first fault
 */
export async function buildPaths(lines, { totals = { deposited: [], paid: [] }, readVault, ...files }) {
  const published = readKeys(JSON.parse(files.keys))
  if (!published) throw new Error('the file of keys has another format')
  const { chainId, vault, keys } = published
  const self = readSelf(files)
  const signed = readHeaders(files.headers)
  const [any] = signed
  if (!any) throw new Error('the file of headers has none with its fields')
  const tokens = any.header.assets.map((/** @type {{ token: string }} */ { token }) => token)
  const slots = await readVault?.(vault, self.account, tokens)
  const chosen = choose(signed, files.number ?? (slots ? `${slots.number}` : undefined))
  if (hashHeader(chosen.header, { chainId, verifyingContract: vault }) !== chosen.hash)
    throw new Error(`header ${chosen.number} has another hash: it was changed, or is of another vault`)
  if (slots && !slots.isStored(chosen.hash)) throw new Error(`the vault's newest root is not header ${chosen.number}`)
  const { header } = chosen
  const leaves = await readProofData(lines, { header, keys, headers: signed.map((each) => each.header) })
  const now = slots?.totalsOf ?? (() => ({ deposited: [], paid: [] }))
  const trees = await buildTrees(leaves, header)
  const found = await findOwnLeaves(trees, { ...self, totalsOf: (token) => joinTotals(now(token), self.seen, totals) })
  const paths = /** @type {[any]} */ ([{ number: chosen.number, leaves: found.leaves }])
  return {
    file: { format: 'clearwell paths 1', chainId, vault, account: self.account, headers: [chosen], paths },
    missing: found.missing,
  }
}

/** Totals of no deposits and payments fit an account that never had the asset. @param {Totals[]} parts @returns {Totals} */
function joinTotals(...parts) {
  return {
    deposited: [...parts.flatMap((each) => each.deposited), 0n],
    paid: [...parts.flatMap((each) => each.paid), 0n],
  }
}

/** @param {readonly Signed[]} signed @param {string | undefined} number */
function choose(signed, number) {
  const chosen = number === undefined ? signed.at(-1) : signed.find((each) => each.number === number)
  if (!chosen) throw new Error(`the file of headers has no header ${number}`)
  return chosen
}

/** Reads the headers that have their fields, in their order. @param {string} text @returns {Signed[]} */
function readHeaders(text) {
  return valuesIn(text)
    .flatMap((value) => (value.header?.assets && value.hash ? [{ ...value, number: `${value.header.number}` }] : []))
    .toSorted((a, b) => (BigInt(a.number) < BigInt(b.number) ? -1 : 1))
}

/** Finds account, salt and place in what the account kept. @param {Pick<Files, 'proof' | 'account' | 'salt'>} files @returns {Self} */
function readSelf({ proof, account, salt }) {
  /** @type {Self} */
  const self = { account: account ?? '', salt: salt ?? '', place: undefined, seen: { deposited: [], paid: [] } }
  /** @type {bigint[]} */
  const deposited = []
  /** @type {bigint[]} */
  const paid = []
  /** @param {any} value */
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return
    if (typeof value.account === 'string' && account === undefined) self.account = value.account
    if (
      typeof value.salt === 'string' &&
      typeof value.index === 'number' &&
      (salt === undefined || salt === value.salt)
    ) {
      self.salt = value.salt
      self.place = value.index
      deposited.push(BigInt(value.deposited_seen))
      paid.push(BigInt(value.paid_seen))
    }
    for (const each of Object.values(value)) visit(each)
  }
  for (const value of valuesIn(proof)) visit(value)
  if (!/^0x[0-9a-f]{40}$/i.test(self.account) || !/^0x[0-9a-f]{64}$/i.test(self.salt))
    throw new Error('account and salt are missing: pass --proof, or --account and --salt')
  return { ...self, account: self.account.toLowerCase(), seen: { deposited, paid } }
}

/** A whole JSON document, or one on each line, perhaps behind the hash of the line. @param {string} text @returns {any[]} */
function valuesIn(text) {
  try {
    return [JSON.parse(text)]
  } catch {
    const lines = text.split('\n').map((line) => line.replace(/^[0-9a-f]{64} /, '').trim())
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  }
}

// @ts-check
import { hashHeader } from './hash-header.mjs'
import { checkPositions } from './positions.mjs'
import { recoverSigner } from './secp256k1.mjs'
import { rootOf, verifyProof } from './verify-proof.mjs'

/**
 * Checks the balance of one account in five steps, as the app does in a browser. It reads beside docs/concepts/proofs.md.
 *
 * @typedef {import('./verify-proof.mjs').Leaf} Leaf
 * @typedef {[place: string, asset: string, units: string][]} Balances
 * @typedef {{ number: string, hash: string, header: any, signatures: { root: string, bookkeeper: string | null }, tx_hash: string | null }} Signed
 * @typedef {{ number: string, hash: string, ledgerSeq: string, balances: Balances, assets: string[], signer: string }} Kept
 *   the header of the last check that held, with the account's balances and leaves in it
 * @typedef {object} Evidence
 * @property {{ chainId: number, vault: string }} domain
 * @property {Record<string, string>} tokens the number of each asset in leaves, in lower case
 * @property {string} account in lower case
 * @property {{ root: string[], bookkeepers: string[] }} keys in lower case
 * @property {{ number: string, leaves: ((Leaf & { kind: 'user' }) | import('./positions.mjs').Position)[] }} mine
 * @property {Signed} signed the header of `mine`
 * @property {Signed} newest the newest header
 * @property {Kept | null} kept
 * @property {Signed | null} again the header with the number of `kept`, as the server gives it now. null: its fields are no longer stored
 * @property {string} from the first entry of the rows
 *
 * @typedef {'leaves' | 'path' | 'header' | 'signature' | 'rows' | 'chain'} StepName `chain` is compared by the caller, which has a node
 * @typedef {'leaves' | 'leaf_gone' | 'path' | 'header' | 'header_older' | 'header_changed' | 'signature' | 'bookkeeper' | 'rows' | 'chain'} Fault
 * @typedef {{ name: StepName, state: 'right' } | { name: StepName, state: 'unchecked' | 'absent' } | { name: StepName, state: 'wrong', fault: Fault, detail: string }} Step
 * @typedef {{ postings: number, balances: Balances, free: Record<string, string>, archived?: { to: string, at: string } }} Rows
 *   `archived`: the rows up to this entry are in an archive, and were not checked
 */

/** A year: the operator's command leaves a day more. */
const LEAST_AGE_MS = 365 * 86_400_000

const STEPS = /** @type {const} */ (['leaves', 'path', 'header', 'signature', 'rows'])

/**
 * Runs every step, also after one that is wrong.
 *
 * @param {Evidence} evidence
 * @param {readonly string[]} lines the export of the account, without line ends
 * @param {(step: Step) => void} onStep receives each step when it is done
 * @returns {Promise<{ steps: Step[], rows: Rows | undefined, signer: string | undefined }>} the signer in lower case, if it is a root key
 */
export async function verifyBalance(evidence, lines, onStep = () => {}) {
  /** @type {Step[]} */
  const steps = []
  /** @type {Rows | undefined} */
  let rows
  /** @type {string | undefined} */
  let signer
  const run = {
    leaves: () => checkLeaves(evidence),
    path: () => checkPaths(evidence),
    header: () => checkHeader(evidence),
    signature: () => {
      signer = checkSignatures(evidence)
    },
    async rows() {
      // A download that broke off says nothing about the server.
      if (!/^[0-9a-f]{64} \{"end":\d+\}$/.test(lines.at(-1) ?? '')) return 'unchecked'
      rows = await checkRows(evidence, lines)
      return undefined
    },
  }
  for (const name of STEPS) {
    const step = await stepOf(name, run[name])
    steps.push(step)
    onStep(step)
  }
  return { steps, rows, signer }
}

/**
 * Checks one header alone: its hash and its signatures.
 *
 * @param {Signed} signed
 * @param {Pick<Evidence, 'domain' | 'keys'>} of
 * @returns {{ signer: string } | { fault: string }}
 */
export function verifyHeader(signed, { domain, keys }) {
  try {
    checkDigest(signed, { domain })
    return { signer: checkSignatures({ signed, keys, kept: null }) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : `${error}` }
  }
}

/** A fault of a step. Other errors are values that are no numbers or no bytes: they are faults of the step too. */
class StepFault extends Error {
  /** @param {Fault} fault @param {string} detail */
  constructor(fault, detail) {
    super(detail)
    this.fault = fault
  }
}

/** @param {typeof STEPS[number]} name @param {() => unknown} run @returns {Promise<Step>} */
async function stepOf(name, run) {
  try {
    return { name, state: (await run()) === 'unchecked' ? 'unchecked' : 'right' }
  } catch (error) {
    const detail = error instanceof Error ? error.message : `${error}`
    return { name, state: 'wrong', fault: error instanceof StepFault ? error.fault : name, detail }
  }
}

/** @param {Evidence} evidence */
function userLeaves({ mine }) {
  return mine.leaves.filter((leaf) => leaf.kind === 'user')
}

/** Pledges and open loan orders. @param {Evidence} evidence */
function positions({ mine }) {
  return mine.leaves.filter((leaf) => leaf.kind !== 'user')
}

/** @param {Evidence} evidence */
function checkLeaves(evidence) {
  const leaves = userLeaves(evidence)
  const [first] = leaves
  const assets = leaves.map(({ asset }) => asset)
  if (new Set(assets).size < assets.length) throw new Error('an asset has two leaves')
  for (const { asset, salt, index, free } of leaves) {
    if (evidence.tokens[asset] === undefined) throw new Error(`${asset} has no token`)
    if (salt !== first?.salt || index !== first?.index)
      throw new Error(`the leaf of ${asset} has another place or salt than the others`)
    if (BigInt(free) < 0n) throw new Error(`the leaf of ${asset} is below zero`)
  }
  if (positions(evidence).some(({ salt }) => salt !== first?.salt))
    throw new Error('a position has another salt than the leaves')
  // A leaf is never removed.
  const gone = evidence.kept?.assets.find((asset) => !assets.includes(asset))
  if (gone !== undefined && isLater(evidence)) throw new StepFault('leaf_gone', `the leaf of ${gone} is gone`)
}

/** @param {Evidence} evidence */
async function checkPaths(evidence) {
  const { account, tokens, signed } = evidence
  const { header } = signed
  for (const leaf of userLeaves(evidence)) {
    const token = tokens[leaf.asset] ?? ''
    if (leaf.path.length !== header.depth) throw new Error(`the path of ${leaf.asset} has ${leaf.path.length} steps`)
    const figures = header.assets.find((/** @type {any} */ each) => each.token.toLowerCase() === token)
    const stated = leaf.asset === 'RT' ? header.rtRoot : figures?.root
    if ((await rootOf(leaf, { account, token })) !== stated)
      throw new Error(`the path of ${leaf.asset} does not lead to the root in header ${signed.number}`)
  }
  await checkPositions(positions(evidence), { account, tokens, header })
}

/** @param {Evidence} evidence */
function checkHeader(evidence) {
  const { mine, signed, newest, kept, again } = evidence
  for (const each of [signed, newest, ...(again ? [again] : [])]) checkDigest(each, evidence)
  if (signed.number !== mine.number) throw new Error(`the leaves are of header ${mine.number}, not ${signed.number}`)
  if (BigInt(newest.number) < BigInt(signed.number))
    throw new Error('the newest header is older than that of the leaves')
  if (!kept) return
  if (BigInt(newest.number) < BigInt(kept.number))
    throw new StepFault('header_older', `the newest header is ${newest.number}, and ${kept.number} was seen before`)
  for (const each of [signed, newest, ...(again ? [again] : [])])
    if (each.number === kept.number && each.hash !== kept.hash)
      throw new StepFault('header_changed', `header ${kept.number} had the hash ${kept.hash}, and has ${each.hash} now`)
  if (isLater(evidence) && BigInt(signed.header.ledgerSeq) < BigInt(kept.ledgerSeq))
    throw new StepFault('header_older', `header ${signed.number} has fewer entries than header ${kept.number}`)
}

/** @param {Evidence} evidence */
function isLater({ signed, kept }) {
  return kept !== null && BigInt(signed.number) >= BigInt(kept.number)
}

/** @param {Signed} signed @param {Pick<Evidence, 'domain'>} of */
function checkDigest({ number, hash, header }, { domain }) {
  if (header.number !== number) throw new Error(`header ${number} names itself ${header.number}`)
  if (hashHeader(header, { chainId: domain.chainId, verifyingContract: domain.vault }) !== hash)
    throw new Error(`header ${number} has another hash`)
}

/** Returns the root key that signed. @param {Pick<Evidence, 'signed' | 'keys' | 'kept'>} evidence */
function checkSignatures({ signed: { number, hash, signatures }, keys, kept }) {
  // The key of the last check may have been replaced since, in the hour of this header.
  const rootKeys = [...keys.root, ...(kept ? [kept.signer] : [])]
  const signer = recoverSigner(hash, signatures.root)
  if (signer === undefined || !rootKeys.includes(signer))
    throw new Error(`header ${number} has the signature of another key`)
  const { bookkeeper } = signatures
  if (bookkeeper === null || keys.bookkeepers.length === 0) return signer
  if (!keys.bookkeepers.includes(recoverSigner(hash, bookkeeper) ?? ''))
    throw new StepFault('bookkeeper', `header ${number} has the signature of an unknown bookkeeper`)
  return signer
}

/** @param {Evidence} evidence @param {readonly string[]} lines @returns {Promise<Rows>} */
async function checkRows(evidence, lines) {
  const { account, signed, kept, from } = evidence
  const isContinued = kept !== null && from !== '1'
  const start = { from, balances: isContinued ? kept.balances : [] }
  const verdict = await verifyProof(lines, { account, header: signed.hash, start })
  if (!verdict.valid) throw new Error(`line ${verdict.line}: ${verdict.fault}`)
  const { postings, balances, free, archived } = verdict.counts
  if (archived) checkArchive(archived, evidence)
  for (const leaf of userLeaves(evidence))
    if (free[leaf.asset] !== leaf.free)
      throw new Error(`the rows leave ${free[leaf.asset]} of ${leaf.asset}, and the leaf has ${leaf.free}`)
  if (Object.keys(free).length !== userLeaves(evidence).length) throw new Error('the file has other leaves')
  if (verdict.counts.positions !== positions(evidence).length) throw new Error('the file has other positions')
  return { postings, balances, free, ...(archived ? { archived } : {}) }
}

/** Rows of the last year are never in an archive. @param {{ to: string, at: string }} archived @param {Evidence} evidence */
function checkArchive({ to, at }, { signed, kept, again }) {
  const endMs = Date.parse(at)
  if (!(signed.header.cursorTime * 1_000 - endMs > LEAST_AGE_MS))
    throw new Error(`the rows up to entry ${to} are in an archive, and some of them are not a year old`)
  // The last check read its rows from the server: a header after the archive's end cannot contain fewer entries.
  if (again && kept && BigInt(kept.ledgerSeq) <= BigInt(to) && again.header.cursorTime * 1_000 > endMs)
    throw new Error(`entry ${to} is said to be of ${at}, and header ${kept.number} of a later time does not contain it`)
}

// @ts-check
import { AMOUNT, faultsOfFormat, HEX, numbersOf } from './day-file.mjs'
import {
  blockDueMs,
  boundsOf,
  figuresOf,
  fromHex,
  hmacWith,
  leafOf,
  leafTextOf,
  poolOf,
  rootOf,
  rootTextOf,
  sha256,
  shareOf,
  sumOf,
  textOf,
  toHex,
  treeFromPath,
  treeOf,
  unitsOf,
} from './day-rules.mjs'
import {
  createReport,
  verifyBlocks,
  verifyDraws,
  verifyHashes,
  verifyKnown,
  verifyShares,
  verifyTimes,
  verifyTree,
  warningsOf,
} from './verify-day.mjs'

/**
 * Verifies one box step by step, and returns each step with its figures, for a person who reads along.
 *
 * @typedef {import('./day-file.mjs').Box} Box
 * @typedef {import('./day-file.mjs').DayHeader} DayHeader
 * @typedef {import('./day-file.mjs').DayFile} DayFile
 * @typedef {import('./day-rules.mjs').Figures} Figures
 * @typedef {import('./verify-day.mjs').Code} Code
 * @typedef {{ asset: string, kind: string, amount: string }} Change of the `rewards` balance; the amount may be negative
 * @typedef {{
 *   pools: readonly { asset: string, opening: string, rewards: string }[],
 *   sources: readonly Change[],
 *   items?: readonly Change[] | undefined,
 * }} Sources each balance before and after, the sum of changes of each kind, and each single change
 *
 * @typedef {{
 *   header: DayHeader, box: Box, index: number, path: readonly string[],
 *   boxes?: Box[] | undefined,
 *   block?: { hash: string, time: string, previous_time: string } | undefined,
 *   sources?: Sources | undefined,
 *   noted?: { commitment: string | null, level: number, streak: number } | undefined,
 *   seen?: { root: string, seenAt: string } | undefined,
 * }} Evidence everything that one verification reads: the proof of the box (`POST /BlindBox/inclusion`), and, where they are
 *   known, all of the day's boxes, its block as a node of the chain reports it, the changes of the `rewards` balance, what you
 *   noted at the click, and the root as you first saw it
 *
 * @typedef {'given' | 'computed' | 'read' | 'noted'} Origin published, computed here, from the chain, noted by you
 * @typedef {'seed' | 'seed_hash' | 'commitment' | 'committed_at' | 'noted_commitment' | 'noted_factors' | 'opens_at' | 'closes_at'
 *   | 'leaf_text' | 'leaf' | 'position' | 'path' | 'computed_tree' | 'tree' | 'root_text' | 'computed_root' | 'boxes_root'
 *   | 'root_at' | 'seen_root' | 'seen_at' | 'earliest_block' | 'block_number' | 'block_hash' | 'read_hash' | 'block_time'
 *   | 'previous_block_time' | 'message' | 'digest' | 'ticket' | 'factor' | 'fees' | 'level_factor' | 'streak_factor' | 'power'
 *   | 'box_count' | 'total_power' | 'computed_total'} FigureName
 * @typedef {{ name: FigureName | `asset_${string}`, value: string, from: Origin }} Fact
 *
 * @typedef {{ valid: boolean | undefined, facts: Fact[], warning?: 'unseen_root' }} Verdict `undefined`: nothing to check here
 * @typedef {(typeof STEPS)[number]} StepName
 * @typedef {Verdict & { name: StepName }} Step
 * @typedef {(...codes: Code[]) => boolean} Has whether a finding was made
 */

/** The steps in their order. */
export const STEPS = /** @type {const} */ ([
  'commitment',
  'inclusion',
  'root',
  'block',
  'draw',
  'power',
  'total',
  'sources',
  'pool',
  'share',
])

/** @type {Record<StepName, (evidence: Evidence, has: Has) => Verdict | Promise<Verdict>>} */
const VERDICTS = {
  commitment: ofCommitment,
  inclusion: ofInclusion,
  root: ofRoot,
  block: ofBlock,
  draw: ofDraw,
  power: ofPower,
  total: ofTotal,
  sources: ofSources,
  pool: ofPool,
  share: ofShare,
}

/**
 * Verifies one box. Only `boxes` prove the total power, only `block` the block, and only `sources` the balance of the pool: their
 * steps are `undefined` without them.
 *
 * @param {Evidence} evidence malformed evidence proves nothing, so every step is then invalid and has no figures
 * @returns {Promise<Step[]>}
 * @example (await verifyBox(proof)).filter(({ valid }) => valid === false)
 */
export async function verifyBox(evidence) {
  if (isMalformed(evidence)) return STEPS.map((name) => ({ name, valid: false, facts: [] }))
  const counts = await findingsOf(evidence)
  const has = (/** @type {Code[]} */ ...codes) => codes.some((code) => counts[code] !== undefined)
  return Promise.all(STEPS.map(async (name) => ({ name, ...(await VERDICTS[name](evidence, has)) })))
}

/** @param {Evidence} evidence */
function isMalformed({ header, box, index, path, boxes, sources }) {
  const amounts = [...(sources?.sources ?? []), ...(sources?.items ?? [])].map(({ amount }) => amount.replace(/^-/, ''))
  const balances = (sources?.pools ?? []).flatMap(({ opening, rewards }) => [opening, rewards])
  return (
    faultsOfFormat({ ...header, boxes: [box] }).length > 0 ||
    faultsOfFormat({ ...header, boxes: boxes ?? [] }).length > 0 ||
    !Number.isSafeInteger(index) ||
    !path.every((hash) => HEX.test(hash)) ||
    ![...amounts, ...balances].every((amount) => AMOUNT.test(amount))
  )
}

/** The findings of the day with this box alone. @param {Evidence} evidence */
async function findingsOf({ header, box, block, noted, seen }) {
  const [day, report] = [dayOf(header, [box]), createReport()]
  verifyKnown(day, { commitment: noted?.commitment ?? undefined, root: seen?.root, rootSeenAt: seen?.seenAt }, report)
  verifyTimes(day, report)
  await verifyHashes(day, report)
  await verifyDraws(day, report)
  verifyShares(day, report)
  if (block) {
    const { hash, time, previous_time } = block
    const previous = { hash: '', time: previous_time }
    await verifyBlocks(day, async (number) => (number === day.block_number ? { hash, time } : previous), report)
  }
  return report.result().counts
}

/** The seed has the hash that was published before the day. @param {Evidence} evidence @param {Has} has */
async function ofCommitment({ header, noted }, has) {
  const { seed, commitment, committed_at } = header
  return {
    valid: !has('wrong_bounds', 'other_commitment', 'changed_seed', 'late_commitment', 'early_seed', 'late_seed'),
    facts: [
      ...(seed === null ? [] : [given('seed', seed), computed('seed_hash', toHex(await sha256(fromHex(seed))))]),
      given('commitment', commitment ?? '—'),
      ...(committed_at === null ? [] : [given('committed_at', committed_at)]),
      computed('opens_at', timeOf(boundsOf(header).opensMs)),
      ...(noted?.commitment ? [fact('noted', 'noted_commitment', noted.commitment)] : []),
    ],
  }
}

/** The box is one of those that the root fixes, with this level and this streak. @param {Evidence} evidence */
async function ofInclusion({ header, box, index, path, noted }) {
  const leaf = await sha256(leafOf(header.day, box))
  const tree = await treeFromPath(leaf, { index, size: header.box_count, path })
  return {
    valid: tree === header.tree && (!noted || (noted.level === box.level && noted.streak === box.streak)),
    facts: [
      ...(noted ? [fact('noted', 'noted_factors', `${noted.level} ${noted.streak}`)] : []),
      given('leaf_text', leafTextOf(header.day, box)),
      computed('leaf', toHex(leaf)),
      given('position', `${index + 1} / ${header.box_count}`),
      given('path', path.join('\n') || '—'),
      computed('computed_tree', tree ?? '—'),
      given('tree', header.tree),
    ],
  }
}

/**
 * The root fixes the day's boxes, commitment and pool, and was published after the day. It is the one that you saw, and not dated
 * later than you saw it.
 *
 * @param {Evidence} evidence
 * @param {Has} has
 */
async function ofRoot({ header, seen }, has) {
  const valid = !has('wrong_bounds', 'wrong_root', 'early_root', 'other_root', 'redated_root')
  const [warning] = valid ? warningsOf(header, { rootSeenAt: seen?.seenAt }) : []
  return {
    valid,
    ...(warning ? { warning: warning.code } : {}),
    facts: [
      computed('closes_at', timeOf(boundsOf(header).closesMs)),
      given('root_at', header.root_at),
      given('root_text', rootTextOf(header)),
      computed('computed_root', await rootOf(header)),
      given('boxes_root', header.boxes_root),
      ...(seen ? [fact('noted', 'seen_root', seen.root), fact('noted', 'seen_at', seen.seenAt)] : []),
    ],
  }
}

/**
 * The block is the first one at its time, which follows from the root, as the chain has it.
 *
 * @param {Evidence} evidence
 * @param {Has} has
 */
function ofBlock({ header, block }, has) {
  const { block_number, block_hash, block_time, previous_block_time, root_at } = header
  const dueMs = blockDueMs(header)
  const isWrong = has('void_root', 'late_root', 'later_block', 'other_block')
  // A flat day needs no block.
  if (block_hash === null) return { valid: isWrong ? false : undefined, facts: [given('root_at', root_at)] }
  return {
    valid: isWrong ? false : block ? true : undefined,
    facts: [
      given('root_at', root_at),
      ...(dueMs === undefined ? [] : [computed('earliest_block', timeOf(dueMs))]),
      given('block_number', `${block_number}`),
      given('block_hash', block_hash),
      given('previous_block_time', `${previous_block_time}`),
      given('block_time', `${block_time}`),
      ...(block ? [fact('read', 'read_hash', block.hash)] : []),
    ],
  }
}

/** The draw follows from the seed, the block and the box. @param {Evidence} evidence @param {Has} has */
async function ofDraw({ header, box }, has) {
  const { seed, block_hash } = header
  const { ticket, draw } = await figuresOfBox(header, box)
  const factor = computed('factor', `×${draw}`)
  const valid = !has('wrong_draw')
  if (seed === null || block_hash === null) return { valid, facts: [factor] }
  const message = block_hash + box.box_id
  const digest = toHex(await (await hmacWith(seed))(message))
  return {
    valid,
    facts: [
      given('seed', seed),
      given('message', message),
      computed('digest', digest),
      computed('ticket', `${ticket}`),
      factor,
    ],
  }
}

/** The factors follow from level and streak, and the power is their product with fees and draw. @param {Evidence} evidence @param {Has} has */
async function ofPower({ header, box }, has) {
  const rules = numbersOf(header.rules)
  const { level, streak, power } = await figuresOfBox(header, box)
  const factor = (/** @type {bigint | number} */ bps) => textOf(BigInt(bps), 4)
  return {
    valid: !has('wrong_factor', 'wrong_power'),
    facts: [
      given('fees', `${box.fees} USDT`),
      computed('level_factor', `1 + ${factor(rules.level)} × ${box.level} = ${factor(level)}`),
      computed('streak_factor', `1 + ${factor(rules.streak)} × ${box.streak} → ${factor(streak)}`),
      given('factor', `×${box.draw}`),
      computed('power', textOf(power, 18)),
    ],
  }
}

/** All of the day's boxes give its tree and its total power, and each of them is right. @param {Evidence} evidence */
async function ofTotal({ header, boxes }) {
  const facts = [given('box_count', `${header.box_count}`), given('total_power', header.total_power)]
  if (!boxes) return { valid: undefined, facts }
  const [day, report] = [dayOf(header, boxes), createReport()]
  await verifyTree(day, report)
  await verifyDraws(day, report)
  const total = sumOf((await figuresOf(day)).map(({ power }) => power))
  return {
    valid: report.result().valid,
    facts: [...facts, computed('computed_tree', await treeOf(day)), computed('computed_total', textOf(total, 18))],
  }
}

/** The balance that the day shares a part of is the one before it and all changes since. @param {Evidence} evidence */
function ofSources({ header, sources }) {
  if (!sources) return { valid: undefined, facts: [] }
  const assets = header.pool.map(({ asset, rewards: published }) => {
    const changes = sources.sources.filter((each) => each.asset === asset)
    const { opening = '0', rewards = '' } = sources.pools.find((each) => each.asset === asset) ?? {}
    const sum = sumOf([opening, ...changes.map(({ amount }) => amount)].map(signedUnitsOf))
    const isSum = rewards === published && signedUnitsOf(published) === sum
    return { asset, opening, changes, sum, isRight: isSum && changes.every((each) => isSumOfItems(each, sources)) }
  })
  return {
    valid: assets.every(({ isRight }) => isRight),
    facts: assets
      .filter(({ sum, changes }) => sum > 0n || changes.length > 0)
      .map(({ asset, opening, changes, sum }) => {
        const terms = [opening, ...changes.map(({ amount, kind }) => `${amount} [${kind}]`)].join(' + ')
        return computed(`asset_${asset}`, `${terms.replaceAll('+ -', '− ')} = ${textOf(sum, 18)} ${asset}`)
      }),
  }
}

/** @param {Change} change @param {Sources} sources */
function isSumOfItems({ asset, kind, amount }, { items }) {
  if (!items) return true
  const parts = items.filter((item) => item.asset === asset && item.kind === kind)
  return sumOf(parts.map((item) => signedUnitsOf(item.amount))) === signedUnitsOf(amount)
}

/** The pool is a part of the smaller of balance and fees. @param {Evidence} evidence @param {Has} has */
function ofPool({ header }, has) {
  const { parts } = numbersOf(header.rules)
  return {
    valid: !has('wrong_pool'),
    facts: header.pool
      .filter(({ rewards }) => unitsOf(rewards, 18) > 0n)
      .map((each) => {
        const pool = textOf(poolOf(each, parts), 18)
        return computed(
          `asset_${each.asset}`,
          `min(${each.rewards}, ${each.contributed}) ÷ ${parts} = ${pool} ${each.asset}`,
        )
      }),
  }
}

/** The reward is the box's share of the pool. @param {Evidence} evidence @param {Has} has */
function ofShare({ header, box }, has) {
  const { total_power } = header
  const shares = header.pool.map(({ asset, pool }) => ({
    asset,
    pool,
    units: shareOf(unitsOf(pool, 18), box, unitsOf(total_power, 18)),
  }))
  return {
    valid: !has('wrong_share'),
    facts: shares
      .filter(({ units }) => units > 0n)
      .map(({ asset, pool, units }) =>
        computed(`asset_${asset}`, `${pool} × ${box.power} ÷ ${total_power} = ${textOf(units, 18)} ${asset}`),
      ),
  }
}

// ---- small parts

/** @param {DayHeader} header @param {Box[]} boxes @returns {DayFile} */
function dayOf(header, boxes) {
  return { ...header, boxes }
}

/** @param {DayHeader} header @param {Box} box */
async function figuresOfBox(header, box) {
  const [figures] = await figuresOf(dayOf(header, [box]))
  return /** @type {Figures} */ (figures)
}

/** @param {string} decimals */
function signedUnitsOf(decimals) {
  return decimals.startsWith('-') ? -unitsOf(decimals.slice(1), 18) : unitsOf(decimals, 18)
}

/** @param {number} ms */
function timeOf(ms) {
  return new Date(ms).toISOString()
}

/** @param {Origin} from @param {Fact['name']} name @param {string} value @returns {Fact} */
function fact(from, name, value) {
  return { name, value, from }
}

/** @param {Fact['name']} name @param {string} value */
function given(name, value) {
  return fact('given', name, value)
}

/** @param {Fact['name']} name @param {string} value */
function computed(name, value) {
  return fact('computed', name, value)
}

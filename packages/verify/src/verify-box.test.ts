import { expect, test } from 'vitest'
import { exampleEvidence } from './testing/example-evidence.ts'
import { honestBoxes, honestDay, honestPath } from './testing/honest-day.ts'
import { type Evidence, STEPS, type StepName, verifyBox } from './verify-box.mjs'

const ZEROS = '0'.repeat(64)

/** The names of the steps with this verdict. */
async function stepsThat(valid: boolean | undefined, evidence: Evidence): Promise<StepName[]> {
  return (await verifyBox(evidence)).filter((step) => step.valid === valid).map(({ name }) => name)
}

test.each([0, 1, 2])('confirms each step of box %i of the published example', async (index) => {
  expect(await stepsThat(true, exampleEvidence(index))).toEqual(STEPS)
})

test('confirms each box of a day of 23 by its path', async () => {
  const boxes = honestBoxes(23)
  const { boxes: all, ...header } = honestDay({ boxes })
  for (const [index, box] of all.entries())
    expect(await stepsThat(false, { header, box, index, path: honestPath(boxes, index), boxes: all })).toEqual([])
})

test('a flat day has no block and draws ×1', async () => {
  const boxes = honestBoxes(5)
  const { boxes: all, ...header } = honestDay({ boxes, rule: 'flat' })
  const evidence = { header, box: all[3] as Evidence['box'], index: 3, path: honestPath(boxes, 3), boxes: all }
  expect(await stepsThat(false, evidence)).toEqual([])
  expect(await stepsThat(undefined, evidence)).toEqual(['block', 'sources'])
  const draw = (await verifyBox(evidence)).find(({ name }) => name === 'draw')
  expect(draw?.facts).toEqual([{ name: 'factor', value: '×1', from: 'computed' }])
})

test('shows the figures of the page that defines the draw', async () => {
  const facts = (await verifyBox(exampleEvidence(1))).flatMap((step) =>
    step.facts.map(({ name, value }) => `${name} ${value}`),
  )
  // Source: docs/concepts/draw.md, where a shell computes them.
  for (const each of [
    'seed_hash 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
    'leaf dca24742c1b8e3f3e103defaed6e6def1d3dc29d0c4e0b14bc3be67e76cc9a55',
    'computed_tree 1a368884f6ee397b1aa790971895d755f1be8766ccc2a1f5c795a84dfe518baf',
    'computed_root 764c7aaadf4619833c3ce0f388174c1927db7c49f23cd6f2df2aacee1cd668ff',
    'digest ffffffc9bb9f48917f80641f1c4f7fce9871dea45aae2daec9f9835c3eda845f',
    'ticket 93',
    'computed_total 448.2999',
    'level_factor 1 + 0.02 × 1 = 1.02',
    'asset_BNB min(0.75, 0.6) ÷ 30 = 0.02 BNB',
    'asset_USDT 600 + 0.5 [swap] = 600.5 USDT',
  ])
    expect(facts).toContain(each)
})

const CHANGES: readonly [string, StepName, (evidence: Evidence) => Evidence][] = [
  ['a changed seed', 'commitment', changeDay({ seed: ZEROS })],
  [
    'another commitment than the browser noted',
    'commitment',
    (e) => ({ ...e, noted: { commitment: ZEROS, level: 1, streak: 3 } }),
  ],
  ['a commitment of after the opening', 'commitment', changeDay({ committed_at: '2026-11-21T16:00:00.001Z' })],
  ['a seed of after the deadline', 'commitment', changeDay({ seed_at: '2026-11-23T16:30:01.001Z' })],
  [
    'another level than the click had',
    'inclusion',
    (e) => ({ ...e, noted: { commitment: null, level: 2, streak: 3 } }),
  ],
  ['another streak', 'inclusion', changeBox({ streak: 4 })],
  ['another root', 'root', changeDay({ boxes_root: ZEROS })],
  ['a late root', 'block', changeDay({ root_at: '2026-11-22T16:20:00.001Z' })],
  ['a late root beside its text', 'root', changeDay({ root_at: '2026-11-22T16:20:00.001Z' })],
  ['another root than this browser saw', 'root', seen({ root: ZEROS })],
  ['a root that this browser saw before its time', 'root', seen({ seenAt: '2026-11-22T15:59:00.000Z' })],
  ['a later block', 'block', changeDay({ previous_block_time: '2026-11-22T16:30:00.000Z' })],
  ['a root too late for every block', 'block', changeDay({ root_at: '2026-11-23T16:00:00.000Z' })],
  ['other fees', 'inclusion', changeBox({ fees: '13' })],
  [
    'another block than the chain has',
    'block',
    (e) => ({ ...e, block: e.block && { ...e.block, hash: `0x${ZEROS}` } }),
  ],
  ['another draw', 'draw', changeBox({ draw: 10 })],
  ['a wrong level factor', 'power', changeBox({ level_factor: '1.04' })],
  ['a wrong streak factor', 'power', changeBox({ streak_factor: '1.04' })],
  ['a wrong power', 'power', changeBox({ power: '39.4' })],
  ['a removed box', 'total', (e) => ({ ...e, boxes: e.boxes?.slice(1) })],
  ['an added box', 'total', (e) => ({ ...e, boxes: [...(e.boxes ?? []), { ...e.box, box_id: 'f'.repeat(32) }] })],
  ['a wrong total', 'total', changeDay({ total_power: '449' })],
  ['revenue that does not add up', 'sources', changeSources({ sources: [] })],
  ['an entry that is left out', 'sources', changeSources({ items: [] })],
  ['another pool', 'pool', (e) => changeDay({ pool: e.header.pool.map((pool) => ({ ...pool, pool: '1' })) })(e)],
  ['a wrong share', 'share', changeBox({ rewards: [{ asset: 'BNB', amount: '0.006456643792888334' }] })],
  ['a shorter path', 'inclusion', (e) => ({ ...e, path: e.path.slice(1) })],
  ['another place', 'inclusion', (e) => ({ ...e, index: 0 })],
  ['a seed of before the block', 'commitment', changeDay({ seed_at: '2026-11-22T16:30:00.999Z' })],
  ['an end of the day at another time', 'root', changeDay({ closes_at: '2026-11-22T17:00:00.000Z' })],
  ['a root whose time this browser cannot read', 'root', seen({ seenAt: 'soon' })],
  ['another block time', 'block', (e) => ({ ...e, block: e.block && { ...e.block, time: e.block.previous_time } })],
  [
    'another balance',
    'sources',
    (e) => changeSources({ pools: (e.sources?.pools ?? []).map((pool) => ({ ...pool, rewards: '601' })) })(e),
  ],
  ['an asset without sources', 'sources', changeSources({ pools: [] })],
  ['a share in another asset', 'share', changeBox({ rewards: [{ asset: 'ETH', amount: '1' }] })],
]

test.each(CHANGES)('finds %s', async (_name, step, change) => {
  expect(await stepsThat(false, change(exampleEvidence()))).toContain(step)
})

test.each<[string, (evidence: Evidence) => Evidence]>([
  ['a path', (e) => ({ ...e, path: ['xyz'] })],
  ['a place', (e) => ({ ...e, index: 0.5 })],
  ['an amount of a box', changeBox({ fees: '1e3' })],
  ['the numbers of the day', changeDay({ rules: 'level 200' })],
  ['one of the day’s boxes', (e) => ({ ...e, boxes: [{ ...e.box, power: '-1' }] })],
  ['an amount of the sources', changeSources({ sources: [{ asset: 'USDT', kind: 'swap', amount: 'NaN' }] })],
])('confirms nothing where %s is malformed', async (_name, change) => {
  const steps = await verifyBox(change(exampleEvidence()))
  expect(steps).toEqual(STEPS.map((name) => ({ name, valid: false, facts: [] })))
})

test('says which steps it could not check', async () => {
  expect(
    await stepsThat(undefined, { ...exampleEvidence(), boxes: undefined, block: undefined, sources: undefined }),
  ).toEqual(['block', 'total', 'sources'])
})

/**
 * @attack A12 A server shows a root only after its block, when it knows every draw.
 * @holds A browser that was there says so: the step is marked where the root was first seen after the block.
 */
test('warns of a root that this browser saw only after the block', async () => {
  const warningsAt = async (seenAt: string) =>
    (await verifyBox(seen({ seenAt })(exampleEvidence()))).flatMap(({ warning = [] }) => warning)
  expect(await warningsAt('2026-11-22T16:00:03.000Z')).toEqual([])
  expect(await warningsAt('2026-11-22T17:00:00.000Z')).toEqual(['unseen_root'])
})

/** The example with the root as this browser saw it. */
function seen(change: Partial<NonNullable<Evidence['seen']>>): (evidence: Evidence) => Evidence {
  return (evidence) => ({
    ...evidence,
    seen: { root: evidence.header.boxes_root, seenAt: '2026-11-22T16:00:03.000Z', ...change },
  })
}

function changeDay(change: Partial<Evidence['header']>): (evidence: Evidence) => Evidence {
  return (evidence) => ({ ...evidence, header: { ...evidence.header, ...change } })
}

function changeSources(change: Partial<NonNullable<Evidence['sources']>>): (evidence: Evidence) => Evidence {
  return (evidence) => ({ ...evidence, sources: evidence.sources && { ...evidence.sources, ...change } })
}

function changeBox(change: Partial<Evidence['box']>): (evidence: Evidence) => Evidence {
  return (evidence) => ({ ...evidence, box: { ...evidence.box, ...change } })
}

import { expect, test } from 'vitest'
import { exampleEvidence } from '../testing/example-day.ts'
import type { Evidence } from './box-evidence.ts'
import { CHECK_STEPS, type CheckStepName } from './check-step.ts'
import { factValue } from './step-texts.ts'
import { verifyBox } from './verify-box.ts'

const ZEROS = '0'.repeat(64)

/** The names of the steps with this verdict. */
function stepsThat(isRight: boolean | undefined, evidence: Evidence): CheckStepName[] {
  return verifyBox(evidence)
    .filter((step) => step.isRight === isRight)
    .map(({ name }) => name)
}

test.each([0, 1, 2])('confirms each step of box %i of the published example', (index) => {
  expect(stepsThat(true, exampleEvidence(index))).toEqual(CHECK_STEPS)
})

test('shows the figures of the page that defines the draw', () => {
  const facts = verifyBox(exampleEvidence(1)).flatMap((step) => step.facts.map(({ name, value }) => `${name} ${value}`))
  // Source: docs/concepts/draw.md, where a shell computes them.
  for (const each of [
    'seed_hash 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
    'leaf dca24742c1b8e3f3e103defaed6e6def1d3dc29d0c4e0b14bc3be67e76cc9a55',
    'computed_tree 1a368884f6ee397b1aa790971895d755f1be8766ccc2a1f5c795a84dfe518baf',
    'computed_root 764c7aaadf4619833c3ce0f388174c1927db7c49f23cd6f2df2aacee1cd668ff',
    'digest ffffffc9bb9f48917f80641f1c4f7fce9871dea45aae2daec9f9835c3eda845f',
    'ticket 93',
    'computed_total 448.2999',
  ])
    expect(facts).toContain(each)
})

const CHANGES: readonly [string, CheckStepName, (evidence: Evidence) => Evidence][] = [
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
  ['another pool', 'pool', (e) => changeDay({ pool: e.day.pool.map((pool) => ({ ...pool, pool: '1' })) })(e)],
  ['a wrong share', 'share', changeBox({ rewards: [{ asset: 'BNB', amount: '0.006456643792888334' }] })],
  ['malformed evidence', 'inclusion', (e) => ({ ...e, inclusion: { index: 1, path: ['xyz'] } })],
]

test.each(CHANGES)('finds %s', (_name, step, change) => {
  expect(stepsThat(false, change(exampleEvidence()))).toContain(step)
})

test('names each source of the pool in plain words', () => {
  const kinds = ['swap', 'reserve_shared', 'box_expiry'] as const
  const sources = kinds.map((kind) => ({ asset: 'USDT', kind, amount: '0.25', entries: 1 }) as const)
  const steps = verifyBox(changeSources({ sources, items: undefined })(exampleEvidence()))
  const fact = steps.find(({ name }) => name === 'sources')?.facts.find(({ value }) => value.endsWith('USDT'))
  expect(fact && factValue(fact)).toBe('600 + 0.25 (閃兌手續費) + 0.25 (借貸利息) + 0.25 (逾期未領獎勵) = 600.75 USDT')
})

test('says which steps it could not check', () => {
  expect(
    stepsThat(undefined, { ...exampleEvidence(), boxes: undefined, block: undefined, sources: undefined }),
  ).toEqual(['block', 'total', 'sources'])
})

/**
 * @attack A12 A server shows a root only after its block, when it knows every draw.
 * @holds A browser that was there says so: the step is marked where the root was first seen after the block.
 */
test('warns of a root that this browser saw only after the block', () => {
  const warningsAt = (seenAt: string) =>
    verifyBox(seen({ seenAt })(exampleEvidence())).flatMap(({ warning = [] }) => warning)
  expect(warningsAt('2026-11-22T16:00:03.000Z')).toEqual([])
  expect(warningsAt('2026-11-22T17:00:00.000Z')).toEqual(['unseen_root'])
})

/** The example with the root as this browser saw it. */
function seen(change: Partial<NonNullable<Evidence['seen']>>): (evidence: Evidence) => Evidence {
  return (evidence) => ({
    ...evidence,
    seen: { root: evidence.day.boxes_root, seenAt: '2026-11-22T16:00:03.000Z', ...change },
  })
}

function changeDay(change: Partial<Evidence['day']>): (evidence: Evidence) => Evidence {
  return (evidence) => ({ ...evidence, day: { ...evidence.day, ...change } })
}

function changeSources(change: Partial<NonNullable<Evidence['sources']>>): (evidence: Evidence) => Evidence {
  return (evidence) => ({ ...evidence, sources: evidence.sources && { ...evidence.sources, ...change } })
}

function changeBox(change: Partial<Evidence['box']>): (evidence: Evidence) => Evidence {
  return (evidence) => ({ ...evidence, box: { ...evidence.box, ...change } })
}

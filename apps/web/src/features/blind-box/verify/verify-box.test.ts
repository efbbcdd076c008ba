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
    'leaf 6e9b96c546ce946b7ca0200826fac986a45a453c56a6c13eb00128e105715e5e',
    'computed_tree 54824a468f69631819dfee3b7670700b6201912595d6a169352a2c4385c42855',
    'computed_root 0fb3a26bc509d3b81b82e2c530d3e81141fd645852b5c13302f2062bc6622ce4',
    'digest ffffffc9bb9f48917f80641f1c4f7fce9871dea45aae2daec9f9835c3eda845f',
    'ticket 93',
    'computed_total 16.03',
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
  ['a seed of after the deadline', 'commitment', changeDay({ seed_at: '2026-11-23T16:00:00.001Z' })],
  [
    'another level than the click had',
    'inclusion',
    (e) => ({ ...e, noted: { commitment: null, level: 2, streak: 3 } }),
  ],
  ['another streak', 'inclusion', changeBox({ streak: 4 })],
  ['another root', 'root', changeDay({ boxes_root: ZEROS })],
  ['a late root', 'block', changeDay({ root_at: '2026-11-22T16:00:03.000Z' })],
  ['a late root beside its text', 'root', changeDay({ root_at: '2026-11-22T16:00:03.000Z' })],
  ['a later block', 'block', changeDay({ previous_block_time: '2026-11-22T16:00:31.500Z' })],
  [
    'another block than the chain has',
    'block',
    (e) => ({ ...e, block: e.block && { ...e.block, hash: `0x${ZEROS}` } }),
  ],
  ['another draw', 'draw', changeBox({ draw: 10 })],
  ['a wrong level factor', 'power', changeBox({ level_factor: '1.4' })],
  ['a wrong streak factor', 'power', changeBox({ streak_factor: '1.1' })],
  ['a wrong power', 'power', changeBox({ power: '4.15' })],
  ['a removed box', 'total', (e) => ({ ...e, boxes: e.boxes?.slice(1) })],
  ['an added box', 'total', (e) => ({ ...e, boxes: [...(e.boxes ?? []), { ...e.box, box_id: 'f'.repeat(32) }] })],
  ['a wrong total', 'total', changeDay({ total_power: '17.03' })],
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
  expect(fact && factValue(fact)).toBe('600 + 0.25 (兌換手續費) + 0.25 (借貸利息) + 0.25 (逾期未領獎勵) = 600.75 USDT')
})

test('says which steps it could not check', () => {
  expect(
    stepsThat(undefined, { ...exampleEvidence(), boxes: undefined, block: undefined, sources: undefined }),
  ).toEqual(['block', 'total', 'sources'])
})

test('warns of a root that waits more than 5 minutes', () => {
  const warningsAt = (root_at: string, change: Partial<Evidence['day']> = {}) =>
    verifyBox(rootedAt(root_at, change)).flatMap(({ warning = [] }) => warning)
  expect(warningsAt('2026-11-22T16:05:00.000Z')).toEqual([])
  expect(warningsAt('2026-11-22T16:05:00.001Z')).toEqual(['delayed_root'])
  expect(warningsAt('2026-11-22T16:05:00.001Z', { seed: null, seed_at: null })).toEqual([])
})

test('a day without a seed draws ×1 for everyone', () => {
  const evidence = changeDay({ seed: null, seed_at: null })(exampleEvidence())
  expect(stepsThat(false, evidence)).toEqual(['draw', 'total'])
  expect(stepsThat(true, changeBox({ draw: 1 })(evidence))).toContain('draw')
})

/** The example with a root of another time. */
function rootedAt(root_at: string, change: Partial<Evidence['day']>): Evidence {
  const evidence = changeDay({ root_at, ...change })(exampleEvidence())
  const root = verifyBox(evidence).flatMap(({ facts }) => facts.filter(({ name }) => name === 'computed_root'))[0]
  return changeDay({ boxes_root: root?.value ?? '' })(evidence)
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

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DayFile } from './day-file.mjs'
import { honestBlock, honestBoxes, honestDay } from './testing/honest-day.ts'
import { verifyDay } from './verify-day.mjs'

const known = { commitment: honestDay().commitment as string, root: honestDay().boxes_root, readBlock: honestBlock }
const codesOf = async (file: unknown, facts: Parameters<typeof verifyDay>[1] = {}) =>
  Object.keys((await verifyDay(file, facts)).counts)

test('the verifier imports nothing from elsewhere', () => {
  for (const file of globSync('*.mjs', { cwd: import.meta.dirname })) {
    const code = readFileSync(join(import.meta.dirname, file), 'utf8')
    const imported = [...code.matchAll(/^(?:import|export) .*|\bimport\(.*/gms)].flatMap(([text]) =>
      [...text.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, name = '']) => name),
    )
    expect(
      imported.filter((name) => !/^\.\/[\w-]+\.mjs$/.test(name)),
      file,
    ).toEqual([])
    expect(code, file).not.toMatch(/\b(process|require|Buffer|globalThis)\b/)
  }
})

describe('a day is valid', () => {
  test.each([0, 1, 2, 3, 7, 8, 23, 1_001])('with %i boxes', async (count) => {
    expect(await verifyDay(honestDay({ boxes: honestBoxes(count) }))).toEqual({
      valid: true,
      findings: [],
      counts: {},
      warnings: [],
    })
  })

  test('with the noted commitment and root and the blocks of the chain', async () => {
    expect(await codesOf(honestDay(), known)).toEqual([])
  })

  test('when it draws ×1 by its rule', async () => {
    const day = honestDay({ rule: 'flat' })
    expect(await codesOf(day)).toEqual([])
    expect(new Set(day.boxes.map(({ draw }) => draw))).toEqual(new Set([1]))
  })

  test('with a root that moves its block to a later time', async () => {
    for (const minutes of [0, 20, 21, 110, 350, 710, 1_430]) {
      const day = honestDay({ rootAt: new Date(later(honestDay().closes_at, minutes * MINUTE)) })
      expect(await codesOf(day)).toEqual([])
    }
  })

  test('without a box that has power', async () => {
    const boxes = honestBoxes(3).map((each) => ({ ...each, fees: 0n }))
    const day = honestDay({ boxes })
    expect(await codesOf(day)).toEqual([])
    expect(day.boxes.flatMap(({ rewards }) => rewards)).toEqual([])
  })

  test('with a box whose first number is above the limit', async () => {
    const day = honestDay({ boxes: [{ id: '0000000000000000000000000310fa3b', level: 0, streak: 0, fees: 5n }] })
    expect(day.boxes[0]?.ticket).toBe(93)
    expect(await codesOf(day)).toEqual([])
  })
})

/** A copy with one change. */
function changed(change: (day: DayFile) => void, from = honestDay()): DayFile {
  const day = structuredClone(from)
  change(day)
  return day
}

const box = (day: DayFile, index = 3) => day.boxes[index] as DayFile['boxes'][number]
const usdt = (day: DayFile) => day.pool[2] as DayFile['pool'][number]
const later = (time: string | null, ms: number) => new Date(new Date(time ?? '').getTime() + ms).toISOString()
const MINUTE = 60_000
const HOUR = 3_600_000

/** A manipulation of the operator's, and the finding that names it. Those with facts change only what others can know. */
test.each<[string, string, (day: DayFile) => void]>([
  ['changed seed', 'changed_seed', (day) => Object.assign(day, { seed: 'ab'.repeat(32) })],
  ['removed box', 'removed_box', (day) => day.boxes.splice(4, 1)],
  ['removed last box', 'removed_box', (day) => day.boxes.splice(-1)],
  [
    'box removed with its count',
    'changed_box',
    (day) => Object.assign(day, { boxes: day.boxes.slice(1), box_count: 22 }),
  ],
  ['added box', 'added_box', (day) => day.boxes.push({ ...box(day, 22), box_id: 'f'.repeat(32) })],
  ['box that is twice in the file', 'box_order', (day) => day.boxes.splice(4, 0, box(day))],
  ['exchanged boxes', 'box_order', (day) => day.boxes.reverse()],
  ['box with another id', 'changed_box', (day) => Object.assign(box(day), { box_id: `${box(day).box_id.slice(1)}0` })],
  ['box with another level', 'changed_box', (day) => Object.assign(box(day), { level: 5 })],
  ['box with a longer streak', 'changed_box', (day) => Object.assign(box(day), { streak: 30 })],
  ['box with more fees', 'changed_box', (day) => Object.assign(box(day), { fees: '1000' })],
  ['wrong level factor', 'wrong_factor', (day) => Object.assign(box(day), { level_factor: '2' })],
  ['wrong streak factor', 'wrong_factor', (day) => Object.assign(box(day), { streak_factor: '1.9' })],
  ['wrong ticket', 'wrong_draw', (day) => Object.assign(box(day), { ticket: 99 })],
  ['wrong draw', 'wrong_draw', (day) => Object.assign(box(day), { draw: 10 })],
  ['wrong power', 'wrong_power', (day) => Object.assign(box(day), { power: '40' })],
  ['wrong total power', 'wrong_total', (day) => Object.assign(day, { total_power: '1' })],
  ['wrong share', 'wrong_share', (day) => Object.assign(box(day).rewards[1] ?? {}, { amount: '1' })],
  ['missing share', 'wrong_share', (day) => box(day).rewards.pop()],
  ['share that is paid twice', 'wrong_share', (day) => box(day).rewards.push(...box(day).rewards)],
  ['share in another asset', 'wrong_share', (day) => box(day).rewards.push({ asset: 'ETH', amount: '1' })],
  ['wrong pool', 'wrong_pool', (day) => Object.assign(usdt(day), { pool: '20' })],
  ['wrong sum of the shares', 'wrong_shared', (day) => Object.assign(usdt(day), { shared: '20' })],
  ['smaller rewards balance', 'wrong_root', (day) => Object.assign(usdt(day), { rewards: '600' })],
  ['larger sum of fees', 'wrong_root', (day) => Object.assign(day.pool[0] ?? {}, { contributed: '0.75' })],
  ['pool above the fees', 'wrong_pool', (day) => Object.assign(day.pool[0] ?? {}, { pool: '0.025' })],
  ['other numbers', 'wrong_root', (day) => Object.assign(day, { rules: day.rules.replace('parts 30', 'parts 3') })],
  ['other odds', 'wrong_draw', (day) => Object.assign(day, { rules: day.rules.replace('1:60,2:25', '1:1,2:84') })],
  ['root of before the end', 'early_root', (day) => Object.assign(day, { root_at: later(day.closes_at, -1) })],
  ['late root', 'late_root', (day) => Object.assign(day, { root_at: later(day.closes_at, 20 * MINUTE + 1) })],
  [
    'root too late for every block',
    'void_root',
    (day) => Object.assign(day, { root_at: later(day.closes_at, 24 * HOUR) }),
  ],
  ['block with another time', 'late_root', (day) => Object.assign(day, { block_not_before: day.closes_at })],
  ['late root beside its text', 'wrong_root', (day) => Object.assign(day, { root_at: later(day.root_at, 1) })],
  ['later block', 'later_block', (day) => Object.assign(day, { previous_block_time: day.block_not_before })],
  ['late commitment', 'late_commitment', (day) => Object.assign(day, { committed_at: later(day.opens_at, 1) })],
  ['early seed', 'early_seed', (day) => Object.assign(day, { seed_at: later(day.block_time, -1) })],
  ['late seed', 'late_seed', (day) => Object.assign(day, { seed_at: later(day.block_time, 24 * HOUR + 1) })],
  ['withheld seed', 'wrong_format', (day) => Object.assign(day, { seed: null, seed_at: null })],
  ['day of another length', 'wrong_bounds', (day) => Object.assign(day, { closes_at: later(day.closes_at, HOUR) })],
])('names a %s: %s', async (_name, code, change) => {
  expect(await codesOf(changed(change))).toContain(code)
})

test('names a file that is right but not the published one', async () => {
  const other = honestDay({ boxes: honestBoxes(5), seed: new Uint8Array(32) })
  expect(await codesOf(other)).toEqual([])
  expect(await codesOf(other, known)).toEqual(['other_commitment', 'other_root'])
})

describe('every field counts', () => {
  /** Another value of the same form, so that the format stays right where it can. */
  const otherValue = (value: unknown): unknown => {
    if (typeof value === 'number') return value === 0 ? 1 : value - 1
    if (value === null) return '1'
    const text = String(value)
    if (/T.*Z$/.test(text)) return later(text, -75 * HOUR)
    const [last = ''] = text.slice(-1)
    return text.slice(0, -1) + (last === '1' ? '2' : '1')
  }
  /** The paths of all values: `boxes.3.level`. */
  const pathsOf = (value: unknown, path: string[] = []): string[][] =>
    typeof value !== 'object' || value === null
      ? [path]
      : Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))
  const day = honestDay({ boxes: honestBoxes(4) })
  const facts = { ...known, root: day.boxes_root }
  const at = (file: unknown, path: readonly string[]) =>
    path.reduce((inner, name) => (inner as Record<string, unknown>)[name], file) as Record<string, unknown>

  const fields = pathsOf(day).map((path) => [path.join('.'), path] as const)

  test.each(fields)('a change of %s is found', async (_name, path) => {
    const last = path.at(-1) as string
    const change = (edit: (holder: Record<string, unknown>) => void) =>
      codesOf(
        changed((copy) => edit(at(copy, path.slice(0, -1))), day),
        facts,
      )
    expect(
      await change((holder) => {
        holder[last] = otherValue(holder[last])
      }),
    ).not.toEqual([])
    expect(
      await change((holder) => {
        delete holder[last]
      }),
    ).toContain('wrong_format')
  })

  test.each([
    ['', {}],
    ['boxes.0', { owner: '0x1' }],
    ['pool.0', { note: '' }],
  ])('a field that the format does not have is found in "%s"', async (path, added) => {
    const file = changed(
      (copy) => Object.assign(at(copy, path.split('.').filter(Boolean)), { extra: 1, ...added }),
      day,
    )
    expect(await codesOf(file)).toEqual(['wrong_format'])
  })
})

test.each([null, [], 'text', 1, {}, { boxes: null }])('names a file that is none: %o', async (file) => {
  expect(await codesOf(file)).toEqual(['wrong_format'])
})

/**
 * @attack A11 The server dates a root earlier than it showed it, or shows it only after the block.
 * @holds A root seen before its stated time is a finding; one seen only after the block is a warning.
 */
test('compares the root with the time at which it was seen', async () => {
  const day = honestDay()
  const seen = (time: string) => verifyDay(day, { rootSeenAt: time })
  expect(await seen(later(day.root_at, 5_000))).toMatchObject({ valid: true, warnings: [] })
  expect(await seen(later(day.block_time, 1))).toMatchObject({ valid: true, warnings: [{ code: 'unseen_root' }] })
  expect(await seen(later(day.root_at, -60_001))).toMatchObject({ valid: false, counts: { redated_root: 1 } })
})

test('names blocks that the chain does not have', async () => {
  expect(await codesOf(honestDay(), { readBlock: async () => undefined })).toEqual(['other_block'])
})

test('lists twenty findings of a kind and counts the others', async () => {
  const day = changed(({ boxes }) =>
    Object.assign(
      boxes,
      boxes.map((each) => ({ ...each, power: '1' })),
    ),
  )
  const { findings, counts } = await verifyDay(day)
  expect(findings.filter(({ code }) => code === 'wrong_power')).toHaveLength(20)
  expect(counts.wrong_power).toBeGreaterThan(20)
})

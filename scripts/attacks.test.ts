import { describe, expect, test } from 'vitest'
import { pageOf, readAttacks } from './attacks.ts'

const source = (text: string, path = 'apps/a.test.ts') => ({ path, text })
/** Built in pieces, so that this file has no tag for the page. */
const block = (...lines: string[]) => ['/**', ...lines.map((line) => ` * @${line}`), ' */'].join('\n')
const S01 = block('attack S01 A pool set the price.', 'holds Only the market sets it.')

describe('readAttacks', () => {
  test('reads the tags and the title of a test', () => {
    const text = `${S01}\ntest('refuses a loan', () => {})\n${block('attack A01 b.', 'holds c.')}\ntest.each([1])('takes $1', () => {})`
    expect(readAttacks([source(text)])).toEqual({
      attacks: [
        {
          id: 'S01',
          attack: 'A pool set the price.',
          holds: 'Only the market sets it.',
          path: 'apps/a.test.ts',
          title: 'refuses a loan',
        },
        { id: 'A01', attack: 'b.', holds: 'c.', path: 'apps/a.test.ts', title: 'takes $1' },
      ],
      faults: [],
    })
  })

  test('sorts findings of the review before those of the rules', () => {
    const of = (id: string) => `${block(`attack ${id} x`, 'holds y')}\ntest('t', () => {})`
    const { attacks } = readAttacks([source(['A01', 'R02', 'S10', 'S02', 'R01'].map(of).join('\n'))])
    expect(attacks.map(({ id }) => id)).toEqual(['S02', 'S10', 'R01', 'R02', 'A01'])
  })

  test.each([
    ['a tag above no test', `${S01}\nconst a = 1`, 'not directly above a test'],
    ['a lone tag', `${block('attack S01 a.')}\ntest('t', () => {})`, 'in pairs'],
    ['a swapped pair', `${block('holds b.', 'attack S01 a.')}\ntest('t', () => {})`, 'in pairs'],
    ['an unknown id', `${block('attack S24 a.', 'holds b.')}\ntest('t', () => {})`, 'without an id'],
    ['a long line', `${block(`attack S01 ${'a'.repeat(161)}`, 'holds b.')}\ntest('t', () => {})`, '160 characters'],
    ['a repeated attack', `${S01}\ntest('t', () => {})\n${S01}\ntest('u', () => {})`, 'repeats the attack'],
  ])('reports %s', (_fault, text, message) => {
    const { faults } = readAttacks([source(text)])
    expect(faults.map((fault) => fault.message)).toEqual([expect.stringContaining(message)])
  })
})

describe('pageOf', () => {
  test('lists findings without a test until none is left', () => {
    const attackOf = (id: string) => ({ id, attack: 'a | b', holds: 'c', path: 'apps/a.test.ts', title: 't' })
    const all = Array.from({ length: 23 }, (_, index) => attackOf(`S${String(index + 1).padStart(2, '0')}`))
    expect(pageOf(all)).not.toContain('Without a test')
    expect(pageOf(all)).toContain('| S23 | a \\| b | c | [t](../../apps/a.test.ts) |')
    expect(pageOf(all.slice(1))).toContain('## Without a test yet\n\n- S01\n')
  })
})

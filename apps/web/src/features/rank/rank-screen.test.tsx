import { expect, test } from 'vitest'
import { renderScreen, responseTo } from '../../testing/render-screen.tsx'
import type { Board, Period, Ranking } from './rank.queries.ts'
import { RANKING } from './rank.samples.ts'
import { readRank } from './rank-search.ts'

/** The response of one board. */
function board(change: Partial<Ranking> = {}, name: Board = 'volume', period: Period = 'day') {
  return [responseTo('rankList', { board: name, period, limit: 50 }, { ...RANKING, ...change })]
}

test.each([
  ['/en/ranks', ['Rank 1 0x1111…aaaa 98,765.43 USDT', 'Rank 2 0x2222…bbbb You 12.00 USDT', 'Ends']],
  ['/ranks', ['第 1 名 0x1111…aaaa 98,765.43 USDT', '第 2 名 0x2222…bbbb 你 12.00 USDT', '結束']],
])('%s shows the places and marks one’s own', { tags: ['§1.15'] }, async (path, words) => {
  const html = await renderScreen(path, { user: {}, responses: board() })
  const text = textOf(html)
  for (const word of words) expect(text).toContain(word)
  expect(html).toMatch(/<li aria-current="true"/)
})

test.each([
  [{ rank: 2, value: '12', hidden: false }, 'You Rank 2 12.00 USDT'],
  [{ rank: null, value: '5', hidden: false }, 'You Outside the top 10,000 5.00 USDT'],
  [{ rank: null, value: '0', hidden: false }, 'You Not ranked yet 0.00 USDT'],
  [{ rank: null, value: '5', hidden: true }, 'You You are hidden from all boards 5.00 USDT'],
])('one’s own place %o stays above the tabs', async (me, words) => {
  const text = textOf(await renderScreen('/en/ranks', { user: {}, responses: board({ me }) }))
  expect(text).toContain(words)
})

test.each([
  ['power', 'Click a blind box to enter this board.'],
  ['volume', 'Swap to enter this board.'],
  ['leads', 'You join this board once someone you invite activates.'],
] as const)('the empty board %s says how to enter it', async (name, words) => {
  const responses = board({ items: [], me: { rank: null, value: '0', hidden: false } }, name, 'week')
  const html = await renderScreen(`/en/ranks?board=${name}&period=week`, { user: {}, responses })
  expect(html).toContain(words)
})

test('a visitor sees the board and is asked to sign in', async () => {
  const { me: _, ...open } = RANKING
  const [known] = board()
  const text = textOf(await renderScreen('/en/ranks', { responses: known ? [{ ...known, data: open }] : [] }))
  expect(text).toContain('0x1111…aaaa')
  expect(text).toContain('Sign in to see your own rank.')
})

test('a hidden user can appear again', async () => {
  const responses = board({ me: { rank: null, value: '0', hidden: true } })
  expect(await renderScreen('/en/ranks', { user: {}, responses })).toContain('Show me')
})

test('a path selects a board and leaves other values out', () => {
  expect(readRank({ board: 'leads', period: 'all' })).toEqual({ board: 'leads', period: 'all' })
  expect(readRank({ board: 'wealth', period: 7 })).toEqual({})
})

/** The visible text, with one space between elements. */
function textOf(html: string): string {
  return html
    .replace(/<span aria-hidden="true">\d+<\/span>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(\d) (\.\d)/g, '$1$2')
}

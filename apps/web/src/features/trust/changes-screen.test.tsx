import { expect, test } from 'vitest'
import { pageOf, renderScreen } from '../../testing/render-screen.tsx'
import { CHANGES } from './trust.samples.ts'

const textOf = (html: string) =>
  html
    .replace(/<title>.*?<\/title>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

const NAMED = CHANGES.map((change) =>
  change.rule === 'swap-fees' ? { ...change, title: { ...change.title, 'zh-HK': '閃兌手續費' } } : change,
)

test.each([
  [
    '/en/trust/changes',
    [
      'Swap fee Announced Whole fee 0.25% → 0.3% Starts 7 Jan 2030 00:30, Hong Kong time',
      'Opening times of claims Withdrawn Open Always open → 09:00–18:00 Withdrawn 21 Dec 2029 12:00',
      'Since 19 Nov 2029 12:00, Hong Kong time',
    ],
  ],
  ['/trust/changes', ['閃兌手續費 已公布', '2030年1月7日 00:30 起生效（香港時間）', '全日開放 → 09:00–18:00']],
])('%s lists changes with Hong Kong times', async (path, parts) => {
  const shown = textOf(await renderScreen(path, { responses: [pageOf('ruleChanges', {}, NAMED)] }))
  for (const part of parts) expect(shown).toContain(part)
})

test('an empty list says that every change will be here', async () => {
  const html = await renderScreen('/en/trust/changes', { responses: [pageOf('ruleChanges', {}, [])] })
  expect(html).toContain('No change yet')
})

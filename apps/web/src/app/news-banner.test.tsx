import { text } from 'node:stream/consumers'
import { prerenderToNodeStream } from 'react-dom/static'
import { expect, test } from 'vitest'
import type { News } from './news.ts'
import NewsBanner from './news-banner.tsx'

const UPGRADE = {
  id: 'up',
  starts_at: '2030-01-06T16:30:00.000Z',
  ends_at: '2030-01-06T17:00:00.000Z',
  text: { en: 'Faster servers.', 'zh-HK': '更換伺服器。' },
}

test.each<[string, News, string, boolean]>([
  ['a failing part', { kind: 'degraded', part: 'chain' }, '轉入及轉出須稍候', false],
  [
    'an upgrade',
    { kind: 'upgrade', id: 'up', upgrade: UPGRADE },
    '系統將於香港時間 2030年1月7日 00:30 至 2030年1月7日 01:00 升級：更換伺服器。',
    true,
  ],
  [
    'new terms',
    { kind: 'terms', id: 'terms-2', url: 'https://pool.example/terms' },
    '營運方的條款已更新。</p><a href="https://pool.example/terms"',
    true,
  ],
])('the banner of %s says when, and offers to dismiss news alone', async (_what, news, words, canDismiss) => {
  const { prelude } = await prerenderToNodeStream(<NewsBanner news={news} />)
  const html = await text(prelude)
  expect([html.includes(words), html.includes('aria-label="不再顯示"')]).toEqual([true, canDismiss])
})

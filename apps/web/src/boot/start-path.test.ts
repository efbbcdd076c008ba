import { expect, test } from 'vitest'
import { startPath } from './start-path.ts'

const at = (url: string) => new URL(url, 'http://127.0.0.1')

test.each([
  ['/', 'zh-HK', '/', 'zh-HK', true],
  ['/#/', 'zh-HK', '/', 'zh-HK', true],
  ['/', 'en', '/en', 'en', true],
  // A link that somebody shared keeps its language.
  ['/#/swap/exchange', 'en', '/swap/exchange', 'zh-HK', false],
  ['/#/swap/exchange?pair=ETHUSDT', 'en', '/swap/exchange?pair=ETHUSDT', 'zh-HK', false],
  ['/#/en/wallet', 'zh-HK', '/en/wallet', 'en', false],
  ['/#/en', 'zh-HK', '/en', 'en', true],
  ['/#/en/', 'zh-HK', '/en', 'en', true],
  ['/en', 'zh-HK', '/en', 'en', true],
  ['/en/', 'zh-HK', '/en', 'en', true],
  // The hash says where one is; the path only where one came in.
  ['/en#/wallet', 'zh-HK', '/wallet', 'zh-HK', false],
  ['/?pid=AB12', 'zh-HK', '/', 'zh-HK', true],
  ['/#/?pid=AB12', 'en', '/en?pid=AB12', 'en', true],
  // A fragment that is no path is nothing to go by.
  ['/#top', 'zh-HK', '/', 'zh-HK', true],
] as const)(
  '%s for someone who prefers %s starts at %s',
  { tags: ['§1.01', '§1.02'] },
  (url, preferred, path, locale, isHome) => {
    expect(startPath(at(url), preferred)).toEqual({ path, locale, isHome })
  },
)

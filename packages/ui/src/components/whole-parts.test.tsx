import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { withWholeParts } from './whole-parts.tsx'

test.each([
  ['領取限期：2026年12月3日 14:05', '2026年12月3日 14:05'],
  ['Claim by 3 Dec 2026 14:05', '3 Dec 2026 14:05'],
  ['1,234.5 USDT to claim', '1,234.5 USDT'],
  ['0x71c7…976f activated', '0x71c7…976f'],
])('%s keeps %s on one line', (text, whole) => {
  expect(renderToStaticMarkup(withWholeParts(text))).toContain(`<span class="whitespace-nowrap">${whole}</span>`)
})

import { expect, test } from 'vitest'
import { externalUrl } from './external-link.tsx'

test.each(['https://bscscan.com/tx/0x1', 'http://127.0.0.1:4000/tx/0x1'])('%s leads out', (href) => {
  expect(externalUrl(href)).toBe(href)
})

test.each(['wc:7f6e@2?relay-protocol=irn&symKey=5', 'tpdapp://open?params=%7B%7D'])('%s opens a wallet app', (href) => {
  expect(externalUrl(href)).toBe(href)
})

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://bscscan.com/1',
  'file:///etc/passwd',
  '//bscscan.com',
  '/wallet',
  'bscscan.com',
  'wc',
  'tpdapp2://open',
  '',
])('%j is refused', { tags: ['§8.20'] }, (href) => {
  expect(externalUrl(href)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { STORED } from './personal-data.samples.ts'

const textOf = (html: string) =>
  html
    .replace(/<title>.*?<\/title>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
const responses = [responseTo('storedData', {}, STORED)]

test.each([
  [
    '/en/profile/data',
    [
      'Sign-ins Can be erased When each session began and was last used. Kept until 30 days after a session ends.',
      'Devices for push messages Can be erased The address that your browser gave for push messages. Kept until 1 day after you sign out.',
      'Balances and entries Every change of your balances. Kept as long as the ledger.',
    ],
  ],
  [
    '/profile/data',
    [
      '登入紀錄 可刪除 每次登入及最後使用的時間。 登入結束 30 日後刪除。',
      '餘額及帳目 餘額的每項變動。 與帳本一同保留。',
    ],
  ],
])('%s says what is stored and for how long', async (path, parts) => {
  const shown = textOf(await renderScreen(path, { user: {}, responses }))
  for (const part of parts) expect(shown).toContain(part)
})

test('accepted terms are shown with version and time', async () => {
  const terms = { version: '2026-11', accepted_at: '2030-01-06T16:30:00.000Z' }
  const accepted = textOf(await renderScreen('/en/profile/data', { user: { terms }, responses }))
  expect(accepted).toContain(
    'You accepted version 2026-11 of the operator’s terms on 7 Jan 2030 00:30, Hong Kong time.',
  )
  expect(textOf(await renderScreen('/en/profile/data', { user: {}, responses }))).not.toContain('You accepted version')
})

test('a visitor reads the list and connects for the rest', async () => {
  const shown = textOf(await renderScreen('/en/profile/data', { responses }))
  expect(shown).toContain('Balances and entries')
  expect([/Download my data/.test(shown), /Erase my data/.test(shown)]).toEqual([false, false])
  const own = textOf(await renderScreen('/en/profile/data', { user: {}, responses }))
  expect([/Download my data/.test(own), /Erase my data/.test(own)]).toEqual([true, true])
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { beforeEach, expect, test } from 'vitest'
import { m } from '../generated/messages.ts'

const source = readFileSync(join(import.meta.dirname, 'push-notices.js'), 'utf8')
const ORIGIN = 'https://app.example'

type Listener = (event: unknown) => void
interface Shown {
  readonly title: string
  readonly options: { readonly body: string; readonly tag: string; readonly data: string; readonly lang: string }
}

let listeners: Map<string, Listener>
let shown: Shown[]
let windows: { url: string; focused?: boolean; focus(): void }[]
let opened: string[]
beforeEach(() => {
  listeners = new Map()
  shown = []
  windows = []
  opened = []
  const self = {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    location: { origin: ORIGIN },
    registration: {
      async showNotification(title: string, options: Shown['options']) {
        shown.push({ title, options })
      },
    },
    clients: {
      matchAll: async () => windows,
      async openWindow(url: string) {
        opened.push(url)
      },
    },
  }
  runInNewContext(source, { self, URL })
})

async function dispatch(name: string, event: object): Promise<void> {
  let work: unknown
  listeners.get(name)?.({ ...event, waitUntil: (promise: unknown) => (work = promise) })
  await work
}
const push = (payload: unknown) =>
  dispatch('push', { data: { json: () => (typeof payload === 'string' ? JSON.parse(payload) : payload) } })
async function click(data: string): Promise<void> {
  let closed = false
  await dispatch('notificationclick', { notification: { data, close: () => (closed = true) } })
  expect(closed).toBe(true)
}

test('the part for pushes listens to pushes and taps only', () => {
  expect([...listeners.keys()].sort()).toEqual(['notificationclick', 'push'])
  expect(source).not.toMatch(/caches|fetch|importScripts|indexedDB/)
})

test.each(['en', 'zh-HK'] as const)('an alert is shown in the words of the app, in %s', async (language) => {
  showLocale(language)
  for (const direction of ['above', 'below'] as const) {
    const alert = { symbol: 'BNBUSDT', direction, price: '12345.5' }
    await push({ ...alert, language })
    const values = { symbol: 'BNB/USDT', price: '12,345.50' }
    const body = direction === 'above' ? m.alert_notice_rose(values) : m.alert_notice_fell(values)
    expect(shown.at(-1)?.options).toMatchObject({ body, lang: language })
  }
  expect(shown[0]?.options.tag).not.toBe(shown[1]?.options.tag)
  expect(shown.map((each) => each.title)).toEqual(Array(2).fill(language === 'en' ? 'Price alert' : '到價提示'))
})

test.each([
  [{ kind: 'loan_warning', percent: 80 }, 'One of your loans has reached 80% LTV'],
  [{ kind: 'loan_reminder', hours: 1 }, 'One of your loans is due within 1 hour'],
  [{ kind: 'loan_to_be_cleared' }, 'One of your loans can now be liquidated'],
  [{ kind: 'loan_liquidated' }, 'One of your loans was liquidated'],
  [{ kind: 'loan_part_liquidated' }, 'A part of one of your loans was liquidated'],
  [{ kind: 'loan_rate_doubled' }, 'The rate of one of your loans has doubled'],
])('a loan notice is shown and leads to the loans: %j', async (notice, body) => {
  await push({ ...notice, language: 'en' })
  expect(shown.at(-1)?.options).toMatchObject({ body, data: '/#/en/stake/lend/orders' })
  await push({ ...notice, language: 'zh-HK' })
  expect(shown.at(-1)?.options.body).toMatch(/^你的一筆借貸/)
})

test.each([
  [
    { kind: 'upgrade_requested', star: 2 },
    'rich',
    'Waiting for your approval: a request for star level 2',
    /2 星.*待你批核/,
  ],
  [{ kind: 'upgrade_passed', star: 1 }, 'rich', 'Your request for star level 1 has passed', /1 星.*已通過/],
  [{ kind: 'lead_activated' }, 'team', 'Someone you invited is now activated', /已啟用/],
  [{ kind: 'level_up', level: 1 }, 'team', 'You have reached membership level 1', /升至 1 級/],
  [{ kind: 'account_frozen' }, '', 'Your account is frozen', /已被凍結/],
  [{ kind: 'account_unfrozen' }, '', 'Your account is no longer frozen', /已解除凍結/],
  [{ kind: 'sessions_revoked' }, '', 'The operator signed you out on every device', /已在所有裝置登出/],
])('a hub, team or account notice is shown and leads there: %j', async (notice, path, english, chinese) => {
  await push({ ...notice, language: 'en' })
  expect(shown[0]?.options).toMatchObject({ body: english, data: `/#/en/${path}`, lang: 'en' })
  await push({ ...notice, language: 'zh-HK' })
  expect(shown[1]?.options).toMatchObject({ body: expect.stringMatching(chinese), data: `/#/${path}`, lang: 'zh-HK' })
  expect(shown.map(({ title }) => title)).toEqual(
    { rich: ['Upgrade hub', '共贏升級'], team: ['Your team', '團隊消息'] }[path] ?? ['Your account', '你的帳戶'],
  )
})

test.each([
  'no JSON',
  '{}',
  '{"symbol":"../x","direction":"above","price":"1"}',
  '{"symbol":"BNBUSDT","direction":"toString","price":"1"}',
  '{"kind":"toString"}',
  '{"kind":"level_up","level":"<b>"}',
])('an unexpected push payload is not shown: %s', async (payload) => {
  await push(payload)
  expect(shown).toHaveLength(1)
  expect(shown[0]?.options.body).toBe('')
  expect(shown[0]?.options.data).toBe('/#/')
})

test("a tap opens the alert's market or focuses its open window", async () => {
  await push({ symbol: 'BNBUSDT', direction: 'above', price: '700', language: 'en' })
  const path = shown[0]?.options.data ?? ''
  const focused: string[] = []
  windows = [{ url: `${ORIGIN}/#/en/wallet/sendTransaction`, focus: () => focused.push('payment') }]
  await click(path)
  expect(opened).toEqual([`${ORIGIN}/#/en/markets/BNBUSDT`])
  windows.push({ url: `${ORIGIN}/#/en/markets/BNBUSDT`, focus: () => focused.push('market') })
  await click(path)
  expect(opened).toHaveLength(1)
  expect(focused).toEqual(['market'])
})

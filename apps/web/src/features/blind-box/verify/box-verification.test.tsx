import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { type Evidence, STEPS, type Step } from '@clearwell/verify/verify-box'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '../../../api/query-client.ts'
import { VerifiedSteps } from './box-verification.tsx'

afterEach(() => showLocale('zh-HK'))

const SEEN = { root: 'ab', seenAt: '2026-11-22T16:00:03.000Z' }
const LATE: Partial<Step> = { warning: 'unseen_root' }
const WRONG: Partial<Step> = { valid: false }

interface Case {
  readonly locale?: 'en' | 'zh-HK'
  readonly seen?: Evidence['seen']
  readonly isFlat?: boolean
  /** Its user clicked in this browser. */
  readonly isNoted?: boolean
  /** The difference from a step that is right. */
  readonly changes?: Partial<Record<Step['name'], Partial<Step>>>
}

function shown({ locale = 'en', seen, isFlat = false, isNoted = false, changes = {} }: Case) {
  showLocale(locale)
  const steps = STEPS.map((name): Step => ({ name, valid: true, facts: [], ...changes[name] }))
  const noted = isNoted ? { commitment: null, level: 1, streak: 1 } : undefined
  const evidence = { header: { rule: isFlat ? 'flat' : 'table' }, seen, noted } as unknown as Evidence
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <VerifiedSteps verification={{ evidence, steps }} />
    </QueryClientProvider>,
  )
  const [, headline = ''] = /role="status"[^>]*>(.*?)<\/p>/s.exec(html) ?? []
  const rows = html.split('<li>').slice(1)
  const rowOf = (name: Step['name']) => rows[STEPS.indexOf(name)] ?? ''
  const [, why = ''] = /role="status".*?<\/p>\s*<p[^>]*>(.*?)<\/p>/s.exec(html.split('<ol')[0] ?? '') ?? []
  return {
    headline: textOf(headline),
    why: textOf(why),
    root: textOf(rowOf('root')),
    tone: /text-(?:warn|down)/.exec(rowOf('root'))?.[0],
    block: textOf(rowOf('block')),
    commitment: textOf(rowOf('commitment')),
  }
}

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('all steps hold where this browser saw the root in time', () => {
  expect(shown({ seen: SEEN })).toMatchObject({
    headline: 'All 10 steps hold, checked in your browser.',
    tone: undefined,
  })
  expect(shown({ seen: SEEN, locale: 'zh-HK' }).headline).toBe('10 個步驟全部正確，已在你的瀏覽器核對。')
})

test.each<[string, Case]>([
  ['saw the root late', { seen: SEEN, changes: { root: LATE } }],
  ['never saw the root', { seen: undefined }],
])('claims no order where this browser %s', (_name, given) => {
  const en = shown(given)
  expect(en.headline).toBe('9 of 10 steps hold. This browser couldn’t confirm: Root.')
  expect(en.root).toContain('Root Not confirmed')
  expect(en.tone).toBe('text-warn')
  const zh = shown({ ...given, locale: 'zh-HK' })
  expect(zh.headline).toBe('10 個步驟中有 9 個正確。此瀏覽器未能確認：名單根。')
  expect(zh.root).toContain('名單根 未能確認')
})

test.each([
  ['was not used for the click', false, 'you clicked on another device', '你可能在其他裝置點擊'],
  ['was closed after the click', true, 'The app wasn’t open in this browser', '此瀏覽器沒有開啟本應用程式'],
])('says why nine of ten where the browser %s', (_name, isNoted, en, zh) => {
  const inEnglish = shown({ isNoted }).why
  expect(inEnglish).toContain(en)
  expect(inEnglish).toContain('To confirm all 10 steps, click in this browser')
  const inChinese = shown({ isNoted, locale: 'zh-HK' }).why
  expect(inChinese).toContain(zh)
  expect(inChinese).toContain('若要核對全部 10 個步驟')
})

test('explains no order where all steps hold or the root is wrong', () => {
  expect([shown({ seen: SEEN }).why, shown({ isFlat: true }).why]).toEqual(['', ''])
  expect(shown({ changes: { root: WRONG } }).why).toBe('')
})

test('a wrong step comes before those that could not be confirmed', () => {
  const { headline, root, tone } = shown({ changes: { root: WRONG, total: { valid: undefined } } })
  expect(headline).toBe(
    '8 of 10 steps hold. Wrong: Root. Copy the inputs and send them to the operator. This browser couldn’t confirm: Total power.',
  )
  expect(root).toContain('This step doesn’t agree with the published figures.')
  expect(tone).toBe('text-down')
})

test('a flat day needs neither a block nor an order', () => {
  const { headline, block } = shown({ isFlat: true, changes: { block: { valid: undefined } } })
  expect(headline).toBe('All 9 steps hold, checked in your browser.')
  expect(block).toContain('Block Not needed')
})

test('a commitment without a note of the click claims only its hash', () => {
  expect(shown({}).commitment).toContain('The seed has the published hash.')
})

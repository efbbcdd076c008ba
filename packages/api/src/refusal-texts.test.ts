import { expect, test } from 'vitest'
import { CODES } from './codes.ts'
import { REASON_TEXTS, refusalText } from './refusal-texts.ts'

const texts = Object.entries(REASON_TEXTS).flatMap(([name, byReason]) =>
  Object.entries(byReason).map(([reason, text]) => [name, reason, text] as const),
)

test.each(texts)('%s: the reason %s has a text in both languages', (name, reason, text) => {
  expect(refusalText(name as keyof typeof REASON_TEXTS, { reason }, 'en')).toBe(text.en)
  expect(text.en).toMatch(/^[^\u4e00-\u9fff]+\.$/)
  expect(text['zh-HK']).toMatch(/[\u4e00-\u9fff].*。$/)
  for (const sentence of text.en.split(/[.:] /)) expect(sentence.split(' ').length).toBeLessThanOrEqual(20)
})

test('reasons of one code have different texts', () => {
  for (const byReason of Object.values(REASON_TEXTS))
    for (const locale of ['en', 'zh-HK'] as const)
      expect(new Set(Object.values(byReason).map((text) => text[locale])).size).toBe(Object.keys(byReason).length)
})

test.each([null, undefined, {}, { reason: 5 }, { reason: 'toString' }, { reason: 'of_tomorrow' }])(
  'a refusal with the data %j has the text of its code',
  (data) => {
    expect(refusalText('conflict', data, 'zh-HK')).toBe(CODES.conflict.msg['zh-HK'])
  },
)

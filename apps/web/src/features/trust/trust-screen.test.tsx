import { expect, test } from 'vitest'
import { testConfig } from '../../testing/config.ts'
import { factsIn, textOf } from '../../testing/facts.ts'
import { pageOf, renderScreen } from '../../testing/render-screen.tsx'
import { CANARY_EXITS } from './trust.samples.ts'

const STATED = {
  contact: 'help@pool.example',
  operator: {
    name: 'Pool Ltd',
    place: 'Hong Kong, 123',
    audits: [
      { name: 'Audit Ltd, the vault', date: '2026-11-28', url: 'https://audit.example/vault' },
      { name: 'Other Ltd, the ledger', date: '2026-10-01', url: 'https://other.example/ledger' },
    ],
    terms_url: null,
    help_url: null,
  },
  terms: { version: '2', url: 'https://pool.example/terms' },
}

test.each([
  [
    '/en/trust',
    {},
    [
      'Operator: Not stated',
      'Registered in: Not stated',
      'Contact: Not stated',
      'Terms: None given',
      'Help: None given',
      'Audits: None',
    ],
  ],
  [
    '/en/trust',
    STATED,
    [
      'Operator: Pool Ltd',
      'Registered in: Hong Kong, 123',
      'Contact: help@pool.example',
      'Terms: pool.example/terms',
      'Help: None given',
      'Audits: Audit Ltd, the vault 28 Nov 2026 Other Ltd, the ledger 1 Oct 2026',
    ],
  ],
  [
    '/trust',
    STATED,
    [
      '名稱: Pool Ltd',
      '註冊地: Hong Kong, 123',
      '聯絡方式: help@pool.example',
      '條款: pool.example/terms',
      '支援: 未有提供',
      '審計: Audit Ltd, the vault 2026年11月28日 Other Ltd, the ledger 2026年10月1日',
    ],
  ],
])('%s says what the operator stated and did not (%#)', async (path, change, facts) => {
  const html = await renderScreen(path, { config: testConfig(change) })
  expect(factsIn(html)).toEqual(facts)
  const isAudited = facts.some((fact) => fact.includes('Audit Ltd'))
  expect(/No outside firm|均未經外部/.test(html)).toBe(!isAudited)
  expect(/has not said who they are|未有公開身分/.test(html)).toBe(facts.includes('Operator: Not stated'))
})

test('each check names the screen where it is made', async () => {
  const html = await renderScreen('/en/trust', {})
  const links = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href, inner = '']) => [
    textOf(inner).split(' ')[0],
    href,
  ])
  expect(links).toEqual(
    expect.arrayContaining([
      ['Draws', '/en/node/blindBox'],
      ['Liquidations', '/en/stake/liquidate'],
      ['Rules', '/en/trust/changes'],
    ]),
  )
})

test.each([
  [
    { root: ['0x1'], bookkeepers: ['0x2'] },
    'Ledger headers The operator signs each header of the books, and so does a bookkeeper',
  ],
  [{ root: ['0x1'], bookkeepers: [] }, 'Ledger headers The operator alone signs each header of the books'],
  [null, undefined],
])('headers are listed with who signs them (%#)', async (proof_keys, text) => {
  const html = await renderScreen('/en/trust', { config: testConfig({ proof_keys }) })
  const [, inner] = /<a [^>]*href="\/en\/wallet\/header"[^>]*>(.*?)<\/a>/s.exec(html) ?? []
  if (text === undefined) expect(inner).toBeUndefined()
  else expect(textOf(inner ?? '')).toContain(text)
})

const CANARY = { vault_exits: true, canary: `0x${'ca'.repeat(20)}` }
const SHARED = { operator: STATED.operator, time: '2030-01-01T02:00:00.000Z' }
const [waiting, paid] = CANARY_EXITS as [(typeof CANARY_EXITS)[0], (typeof CANARY_EXITS)[0]]

/** The page with the exits of the canary, and its facts after those of the operator. */
async function renderCanary(path: string, exits: typeof CANARY_EXITS, change = {}) {
  const responses = [pageOf('proofCanary', { limit: 3 }, exits)]
  const config = testConfig({ ...CANARY, ...SHARED, ...change })
  // Only what the screen shows of the test's own chain.
  const html = await renderScreen(path, {
    config: { ...config, chain: { ...config.chain, explorer_url: 'https://scan.example' } },
    responses,
  })
  return { html, text: textOf(html), facts: factsIn(html).slice(6) }
}

test.each([
  [
    '/en/trust',
    ['Requested: 29 Dec 2029 01:00', 'Payable from: 5 Jan 2030 01:00', 'Progress: 3 of 7 days'],
    ['Requested: 21 Dec 2029 20:00', 'Paid: 28 Dec 2029 23:10', 'Took: 7 d 3 h'],
    ['In progress', 'Paid'],
  ],
  [
    '/trust',
    ['申請時間: 2029年12月29日 01:00', '可付款時間: 2030年1月5日 01:00', '進度: 已過 3 日，共 7 日'],
    ['申請時間: 2029年12月21日 20:00', '付款時間: 2029年12月28日 23:10', '需時: 7 日 3 小時'],
    ['進行中', '已付款'],
  ],
])('%s shows exits of the canary with their times and payments', async (path, open, ended, states) => {
  const { html, text, facts } = await renderCanary(path, CANARY_EXITS)
  expect(facts).toEqual([...open, ...ended])
  for (const state of states) expect(text).toContain(state)
  expect(text).toMatch(/0\.01 BNB.*5 USDT/)
  const links = [...html.matchAll(/href="https:\/\/scan\.example\/tx\/0x(..)/g)].map(([, byte]) => byte)
  expect(links).toEqual(['c3', 'c1', 'b1', 'd1'])
})

test.each([
  ['overdue', { ...waiting, state: 'overdue' as const }, {}, 'Overdue', 'has not ended a day after'],
  ['unpaid', { ...waiting, state: 'unpaid' as const, ended_at: SHARED.time }, {}, 'Not paid', 'without a payment'],
  ['idle', paid, {}, 'Paid', 'No new exit for two days'],
  ['none', undefined, {}, 'Exit test', 'has requested no exit yet'],
  ['unnamed', undefined, { canary: null }, 'Exit test', 'has named no test account'],
])('the canary is shown as %s', async (_, exit, change, badge, said) => {
  const { text } = await renderCanary('/en/trust', exit ? [exit] : [], change)
  expect(text).toContain(badge)
  expect(text).toContain(said)
  expect(text).toContain('They don’t prove that other accounts’ balances are recorded correctly.')
})

test('a vault without exits has no exit test', async () => {
  const { text } = await renderCanary('/en/trust', [], { vault_exits: false })
  expect(text).not.toContain('Exit test')
})

import { expect, test } from 'vitest'
import { testConfig } from '../../testing/config.ts'
import { factsIn, textOf } from '../../testing/facts.ts'
import { renderScreen } from '../../testing/render-screen.tsx'

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

import { expect, test } from 'vitest'
import type { Payload } from '../../../content/payload-schema.ts'
import { renderScreen } from '../../testing/render-screen.tsx'

/** Figures of the configuration, of a feature's part of it, and of a call that has no response yet. */
const PAPER: Payload = {
  route: '/white',
  locale: 'en',
  title: 'Whitepaper',
  summary: 'How it works.',
  blocks: [
    { type: 'paragraph', text: '{product} takes {swap_fee} of a swap, and each plan swaps {plan_least} or more.' },
    { type: 'live', title: 'Lending', facts: [{ label: 'First ratio', value: 'ltv_initial' }] },
  ],
}

test('the whitepaper shows the figures of all features', async () => {
  const html = await renderScreen('/en/white', {
    responses: [{ queryKey: ['payload', '/white', 'en'], data: PAPER }],
  })
  const text = html.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')
  expect(text).toContain('Clearwell takes 0.25% of a swap, and each plan swaps 10 USDT or more.')
  expect(text).toMatch(/First ratio\s*—/)
})

import { expect, test } from 'vitest'
import { factsIn } from '../../testing/facts.ts'
import { renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { SIGNED_HEADER } from './proof.samples.ts'

const OF_ENTRY = responseTo('proofEntry', { entry: 7 }, SIGNED_HEADER)

test('the header of an entry is shown to its owner', async () => {
  const html = await renderScreen('/en/wallet/header?entry=7', { user: {}, responses: [OF_ENTRY] })
  expect(html).toContain('The first header that contains entry 7.')
  expect(factsIn(html)).toEqual([
    'Number: 1,234',
    'Books as of: 1 Jan 2030 00:00',
    'Last entry: 5,120',
    'Hash: 0xabab…abab',
    'Signed by: Not known',
    'Bookkeeper: Not signed yet',
    'On the chain: Not yet',
  ])
})

test('the header of an entry needs a session', async () => {
  const html = await renderScreen('/en/wallet/header?entry=7')
  expect(html).toContain('See which header contains an entry')
})

test('everyone sees the newest header, also for a number that is none', async () => {
  const newest = responseTo('proofHeader', {}, SIGNED_HEADER)
  const html = await renderScreen('/en/wallet/header?entry=seven', { responses: [newest] })
  expect(html).toContain('The newest header that the operator has signed.')
})

test('a server without headers says that it signs none', async () => {
  expect(await renderScreen('/en/wallet/header', { config: { proof_keys: null } })).toContain('signs no books')
})

test('without a published key nothing is called right', async () => {
  const config = { proof_keys: undefined } as never
  const html = await renderScreen('/en/wallet/header?entry=7', { user: {}, responses: [OF_ENTRY], config })
  expect(html).toContain('The operator publishes no key')
  expect(html).not.toContain('Hash and signature verified')
})

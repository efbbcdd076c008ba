import { expect, test } from 'vitest'
import { pageOf, renderScreen, responseTo } from './render-screen.tsx'

test('renders a screen in the language of its path', async () => {
  expect(await renderScreen('/en/wallet')).toContain('>My Wallet</h1>')
  expect(await renderScreen('/wallet')).toContain('>我的錢包</h1>')
})

test('renders known responses for a signed-in user, then signs out', async () => {
  const responses = [responseTo('pairs', {}, []), pageOf('orders', {}, [])]
  expect(await renderScreen('/en/swap/exchange', { user: {}, responses })).toContain('No pools available')
})

test('starts each test signed out', async () => {
  expect(await renderScreen('/en/swap/exchange', { responses: [responseTo('pairs', {}, [])] })).toContain('Connect')
})

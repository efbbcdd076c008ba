import { expect, onTestFinished, test, vi } from 'vitest'
import { createHashHistory } from './hash-history.ts'

test('an invitation stays out of the path of a screen', () => {
  const location = { pathname: '/', search: '?pid=AB12', hash: '#/en/swap/exchange?pair=ETHUSDT' }
  const write = (_state: unknown, _title: string, url?: string) => {
    if (url === undefined) return
    const { search, hash } = new URL(url, 'http://127.0.0.1')
    Object.assign(location, { search, hash })
  }
  const history = { state: {}, pushState: write, replaceState: write }
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location, history }))
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const router = createHashHistory()
  expect(router.location).toMatchObject({ pathname: '/en/swap/exchange', search: '?pair=ETHUSDT' })
  // As the language switch does.
  router.replace(`/swap/exchange${router.location.search}`)
  router.flush()
  expect(location).toMatchObject({ search: '?pid=AB12', hash: '#/swap/exchange?pair=ETHUSDT' })
  expect(router.location).toMatchObject({ pathname: '/swap/exchange', search: '?pair=ETHUSDT' })
})

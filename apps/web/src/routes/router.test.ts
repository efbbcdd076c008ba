import { createMemoryHistory } from '@tanstack/react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAppRouter } from './router.ts'

test.each(['https://elsewhere.example/', 'javascript:alert(1)', 'wc:7f6e@2'])(
  'the router refuses to leave for %s',
  {
    tags: ['§8.19', '§8.20'],
  },
  async (href) => {
    const left: string[] = []
    const location = { assign: (to: string) => left.push(to), replace: (to: string) => left.push(to) }
    Object.defineProperty(location, 'href', { set: (to: string) => left.push(to) })
    vi.stubGlobal('window', Object.assign(new EventTarget(), { location }))
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => {
      vi.unstubAllGlobals()
      warn.mockRestore()
    })
    const router = createAppRouter(createMemoryHistory({ initialEntries: ['/language'] }))
    await router.load()
    await router.navigate({ href })
    expect(left).toEqual([])
    expect([...router.protocolAllowlist]).toEqual([])
    expect(router.state.location.pathname).toBe('/language')
  },
)

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let kept: Map<string, string>
let root: { dataset: { mode?: string } }
let themeColor: string
let systemIsLight: boolean
let tellSystemChanged: () => void

beforeEach(() => {
  vi.resetModules()
  kept = new Map()
  root = { dataset: {} }
  systemIsLight = false
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  themeColor = ''
  const meta = {
    setAttribute: (_: 'content', value: string) => {
      themeColor = value
    },
  }
  vi.stubGlobal('document', { documentElement: root, querySelector: () => meta })
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return systemIsLight
    },
    addEventListener: (_: 'change', listener: () => void) => {
      tellSystemChanged = listener
    },
  }))
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test.each(['light', 'dark'] as const)(
  'a choice of %s is shown immediately and stored',
  {
    tags: ['§3.25'],
  },
  async (mode) => {
    const { chooseColorMode, colorModeStore } = await import('./color-mode.ts')
    chooseColorMode(mode)
    expect(root.dataset.mode).toBe(mode)
    expect(themeColor).toBe(mode === 'light' ? '#f5f8fa' : '#0a121c')
    expect(kept.get('clearwell.mode')).toBe(mode)
    expect(colorModeStore.get()).toBe(mode)
  },
)

test('a stored color mode applies at the next start; dark is default', { tags: ['§1.19'] }, async () => {
  expect((await import('./color-mode.ts')).colorModeStore.get()).toBe('dark')
  vi.resetModules()
  kept.set('clearwell.mode', 'light')
  expect((await import('./color-mode.ts')).colorModeStore.get()).toBe('light')
  vi.resetModules()
  kept.set('clearwell.mode', 'sepia')
  expect((await import('./color-mode.ts')).colorModeStore.get()).toBe('dark')
})

test("the system mode follows the operating system's changes", { tags: ['§4.31'] }, async () => {
  const { chooseColorMode, followSystemColorMode } = await import('./color-mode.ts')
  followSystemColorMode()
  systemIsLight = true
  chooseColorMode('system')
  expect(root.dataset.mode).toBe('light')
  systemIsLight = false
  tellSystemChanged()
  expect(root.dataset.mode).toBe('dark')
})

test('a choice of dark stays when the operating system turns light', async () => {
  const { chooseColorMode, followSystemColorMode } = await import('./color-mode.ts')
  followSystemColorMode()
  chooseColorMode('dark')
  systemIsLight = true
  tellSystemChanged()
  expect(root.dataset.mode).toBe('dark')
})

test('a page forces its color mode while mounted and keeps the choice', { tags: ['§4.32'] }, async () => {
  const { chooseColorMode, forceColorMode, colorModeStore } = await import('./color-mode.ts')
  chooseColorMode('dark')
  const release = forceColorMode('light')
  expect(root.dataset.mode).toBe('light')
  expect(kept.get('clearwell.mode')).toBe('dark')
  expect(colorModeStore.get()).toBe('dark')
  release()
  expect(root.dataset.mode).toBe('dark')
})

test('the hook of a page forces its mode until it unmounts', { tags: ['§4.32'] }, async () => {
  // Effects run immediately, and their clean-up when the test says so.
  let unmount: unknown
  vi.doMock('react', async (original) => ({
    ...(await original<object>()),
    useEffect: (effect: () => unknown) => {
      unmount = effect()
    },
  }))
  const { chooseColorMode, useForcedColorMode } = await import('./color-mode.ts')
  chooseColorMode('dark')
  useForcedColorMode('light')
  expect(root.dataset.mode).toBe('light')
  ;(unmount as () => void)()
  expect(root.dataset.mode).toBe('dark')
  vi.doUnmock('react')
})

test('a choice shows after leaving a page with a forced mode', async () => {
  const { chooseColorMode, forceColorMode } = await import('./color-mode.ts')
  chooseColorMode('dark')
  const release = forceColorMode('dark')
  chooseColorMode('light')
  expect(root.dataset.mode).toBe('dark')
  release()
  expect(root.dataset.mode).toBe('light')
})

test('a forced color mode lasts until the last forcing page is left', async () => {
  const { chooseColorMode, forceColorMode } = await import('./color-mode.ts')
  chooseColorMode('dark')
  const releaseFirst = forceColorMode('light')
  const releaseSecond = forceColorMode('light')
  releaseFirst()
  expect(root.dataset.mode).toBe('light')
  releaseSecond()
  expect(root.dataset.mode).toBe('dark')
})

test('forcing system is refused with a warning and changes nothing', { tags: ['§4.33'] }, async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { chooseColorMode, forceColorMode } = await import('./color-mode.ts')
  systemIsLight = true
  chooseColorMode('dark')
  const release = forceColorMode('system')
  expect(warn).toHaveBeenCalledOnce()
  expect(root.dataset.mode).toBe('dark')
  release()
  expect(root.dataset.mode).toBe('dark')
})

test('a storage that is forbidden does not stop a choice', async () => {
  const forbidden = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden })
  const { chooseColorMode } = await import('./color-mode.ts')
  chooseColorMode('light')
  expect(root.dataset.mode).toBe('light')
})

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { iconBodyStore } from './icon-bodies.ts'

const BODY = '<path d="M0 0"/>'

let asked: string[] = []
let service: (url: string) => Promise<Response>
let providers = 0

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  service = async (url) => Response.json(iconSet(namesIn(url)))
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url)
    return service(url)
  })
  vi.stubGlobal('localStorage', memoryStorage())
  iconBodyStore.set({})
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('icons of one frame are loaded in one request', async () => {
  const loadIcon = await freshLoader()
  const loaded = Promise.all([loadIcon('coins'), loadIcon('copy'), loadIcon('coins')])
  await vi.advanceTimersByTimeAsync(100)
  await loaded
  expect(asked).toEqual(['/icons/lucide.json?icons=coins%2Ccopy'])
  expect(iconBodyStore.get()).toEqual({ coins: BODY, copy: BODY })
})

test('marks of assets come from their own set', async () => {
  const loadIcon = await freshLoader()
  const loaded = Promise.all([loadIcon('token:bnb'), loadIcon('coins'), loadIcon('token:usdt')])
  service = async (url) => Response.json({ ...iconSet(namesIn(url)), prefix: /icons\/(\w+)/.exec(url)?.[1] })
  await vi.advanceTimersByTimeAsync(100)
  await loaded
  expect(asked).toEqual(['/icons/token.json?icons=bnb%2Cusdt', '/icons/lucide.json?icons=coins'])
  expect(iconBodyStore.get()).toEqual({ 'token:bnb': BODY, 'token:usdt': BODY, coins: BODY })
})

test('an icon that is loading is not requested twice', async () => {
  service = () => new Promise((resolve) => setTimeout(() => resolve(Response.json(iconSet(['coins']))), 500))
  const loadIcon = await freshLoader()
  void loadIcon('coins')
  await vi.advanceTimersByTimeAsync(100)
  void loadIcon('coins')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toHaveLength(1)
})

test('requests stay within 500 characters and cover every icon', {
  tags: ['§7.45', '§9.41'],
}, async () => {
  const loadIcon = await freshLoader(['https://icons.example.org'])
  const names = Array.from({ length: 80 }, (_, i) => `a-rather-long-name-${i}`)
  const loaded = Promise.all(names.map(loadIcon))
  await vi.advanceTimersByTimeAsync(100)
  await loaded
  expect(asked.length).toBeGreaterThan(2)
  for (const url of asked) expect(url.length).toBeLessThanOrEqual(500)
  expect(asked.slice(0, -1).every((url) => url.length > 450)).toBe(true)
  expect(asked.flatMap(namesIn)).toEqual(names)
  expect(Object.keys(iconBodyStore.get())).toEqual(names)
})

test('the app waits 1.5 s for icons and shows later ones too', { tags: ['§9.39'] }, async () => {
  service = () => new Promise((resolve) => setTimeout(() => resolve(Response.json(iconSet(['coins']))), 4_000))
  const loadIcon = await freshLoader()
  const settled = vi.fn()
  void loadIcon('coins').then(settled)
  await vi.advanceTimersByTimeAsync(1_499)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(settled).toHaveBeenCalled()
  expect(iconBodyStore.get()).toEqual({})
  await vi.advanceTimersByTimeAsync(3_000)
  expect(iconBodyStore.get()).toEqual({ coins: BODY })
})

test('an icon request fails 5 s after asking the last host', {
  tags: ['§9.40'],
}, async () => {
  service = () => new Promise(() => {})
  const loadIcon = await freshLoader()
  void loadIcon('coins')
  await vi.advanceTimersByTimeAsync(16 + 750 + 4_900)
  void loadIcon('coins')
  await vi.advanceTimersByTimeAsync(50)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(100)
  void loadIcon('coins')
  await vi.advanceTimersByTimeAsync(50)
  expect(asked).toHaveLength(2)
})

test('the next host is asked when one is silent for 0.75 s', { tags: ['§9.42'] }, async () => {
  service = (url) =>
    url.startsWith('https://slow') ? new Promise(() => {}) : Promise.resolve(Response.json(iconSet(namesIn(url))))
  const loadIcon = await freshLoader(['https://slow.example.org', 'https://second.example.org'])
  void loadIcon('coins')
  await vi.advanceTimersByTimeAsync(700)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(100)
  expect(asked[1]).toBe('https://second.example.org/icons/lucide.json?icons=coins')
  expect(iconBodyStore.get()).toEqual({ coins: BODY })
})

test('an icon stays empty during an outage and loads later', async () => {
  service = async () => new Response('', { status: 503 })
  const loadIcon = await freshLoader()
  const first = loadIcon('coins')
  await vi.advanceTimersByTimeAsync(1_000)
  await first
  expect(iconBodyStore.get()).toEqual({})
  service = async (url) => Response.json(iconSet(namesIn(url)))
  const second = loadIcon('coins')
  await vi.advanceTimersByTimeAsync(100)
  await second
  expect(iconBodyStore.get()).toEqual({ coins: BODY })
})

test('an unknown icon is not requested again', async () => {
  service = async () => Response.json({ ...iconSet([]), not_found: ['no-such-icon'] })
  const loadIcon = await freshLoader()
  for (let time = 0; time < 2; time += 1) {
    const loaded = loadIcon('no-such-icon')
    await vi.advanceTimersByTimeAsync(100)
    await loaded
  }
  expect(asked).toHaveLength(1)
  expect(iconBodyStore.get()).toEqual({})
})

test('a cached icon is shown without a request', async () => {
  const first = await freshLoader()
  void first('coins')
  await vi.advanceTimersByTimeAsync(100)
  iconBodyStore.set({})
  const afterReload = await freshLoader()
  await afterReload('coins')
  expect(iconBodyStore.get()).toEqual({ coins: BODY })
  expect(asked).toHaveLength(1)
})

test.each([
  '<path onload="alert(1)" d="M0 0"/>',
  '<path/><script>alert(1)</script>',
  '<image href="https://example.org/x"/>',
  '<path d="M0 0"/>text',
])('an icon with more than shapes is not shown: %s', async (body) => {
  service = async () => Response.json({ prefix: 'lucide', icons: { coins: { body } } })
  const loadIcon = await freshLoader()
  void loadIcon('coins')
  await vi.advanceTimersByTimeAsync(100)
  expect(iconBodyStore.get()).toEqual({})
})

test('every icon of the set consists of shapes only', async () => {
  const file = createRequire(import.meta.url).resolve('@iconify-json/lucide/icons.json')
  const lucide = JSON.parse(readFileSync(file, 'utf8')) as {
    icons: Record<string, { body: string }>
  }
  service = async (url) =>
    Response.json({
      prefix: 'lucide',
      icons: Object.fromEntries(namesIn(url).map((name) => [name, lucide.icons[name]])),
    })
  const loadIcon = await freshLoader()
  const names = Object.keys(lucide.icons)
  for (const name of names) void loadIcon(name)
  await vi.advanceTimersByTimeAsync(100)
  expect(Object.keys(iconBodyStore.get()).sort()).toEqual(names.sort())
})

/** Iconify stores icons under a provider's name, so each loader gets a new provider. */
async function freshLoader(hosts = ['']) {
  const { createIconLoader } = await import('./icon-loader.ts')
  providers += 1
  return createIconLoader(`test-${providers}`, hosts)
}

function iconSet(names: readonly string[]) {
  return { prefix: 'lucide', icons: Object.fromEntries(names.map((name) => [name, { body: BODY }])) }
}

function namesIn(url: string): string[] {
  return (new URL(url, 'http://localhost').searchParams.get('icons') ?? '').split(',')
}

function memoryStorage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
}

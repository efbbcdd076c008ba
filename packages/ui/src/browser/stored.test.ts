import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeBrowser, type FakeTab } from './testing/fake-browser.ts'

const ALICE = '0xAAAA000000000000000000000000000000000001'
const BOB = '0xbbbb000000000000000000000000000000000002'

let browser: FakeBrowser
let tab: FakeTab
beforeEach(() => {
  vi.useFakeTimers()
  browser = new FakeBrowser()
  tab = browser.open()
})
afterEach(() => {
  browser.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** The module as a page that was just loaded has it. */
const load = (of = tab) => of.load(() => import('./stored.ts'))

async function openNumber(of = tab) {
  const { stored } = await load(of)
  return of.run(() => stored<number>({ key: 'clearwell.number', scope: 'device', schema: numberOf }))
}

async function openList(of = tab, keep = 3) {
  const { stored } = await load(of)
  return of.run(() =>
    stored<number>({ key: 'clearwell.list', scope: 'device', owner: true, keep, schema: numberOf }).of(ALICE),
  )
}

describe('a stored value', () => {
  test('is there on the next visit, until it is removed', async () => {
    ;(await openNumber()).set(7)
    const value = await openNumber()
    expect(value.get()).toBe(7)
    value.set(undefined)
    expect([value.get(), browser.stored.size]).toEqual([undefined, 0])
  })

  test.each(['not JSON', '"7"', 'null', ''])('is none where the storage holds %j', async (text) => {
    browser.stored.set('clearwell.number', text)
    expect((await openNumber()).get()).toBeUndefined()
  })

  test('is none where its schema trips over what it reads', async () => {
    browser.stored.set('clearwell.object', 'null')
    const { stored } = await load()
    const schema = (value: unknown) => (value as { inner: string }).inner
    expect(stored({ key: 'clearwell.object', scope: 'device', schema }).get()).toBeUndefined()
  })

  test('is the same object until it changes', async () => {
    const { stored } = await load()
    const object = stored({ key: 'clearwell.object', scope: 'device', schema: (value) => value as { n: number } })
    object.set({ n: 1 })
    const first = object.get()
    expect(object.get()).toBe(first)
    object.set({ n: 2 })
    expect(object.get()).toEqual({ n: 2 })
  })

  test('of the format text is stored as it is', async () => {
    const { anyText, stored } = await load()
    stored({ key: 'clearwell.word', scope: 'device', format: 'text', schema: anyText }).set('dark')
    expect(browser.stored.get('clearwell.word')).toBe('dark')
  })

  test('of a tab is not on the device', async () => {
    const kept = new Map<string, string>()
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    })
    const { stored } = await load()
    const value = stored<number>({ key: 'clearwell.number', scope: 'tab', schema: numberOf })
    value.set(7)
    expect([value.get(), kept.get('clearwell.number'), browser.stored.size]).toEqual([7, '7', 0])
  })

  test('reaches the other tab', async () => {
    const other = browser.open()
    const [here, there] = [await openNumber(), await openNumber(other)]
    const heard = vi.fn()
    there.subscribe(heard)
    tab.run(() => here.set(7))
    await vi.runAllTimersAsync()
    expect(heard).toHaveBeenCalledOnce()
    expect(other.run(() => there.get())).toBe(7)
  })

  test('lasts as long as the page where the storage is full', async () => {
    browser.stored.set('clearwell.number', '5')
    const value = await openNumber()
    browser.isFull = true
    value.set(7)
    expect(value.get()).toBe(7)
    // The older one would be wrong on the next visit.
    expect((await openNumber()).get()).toBeUndefined()
  })

  test('lasts as long as the page where the storage is forbidden', async () => {
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get() {
        throw new Error('SecurityError')
      },
    })
    const value = await openNumber()
    value.set(7)
    expect(value.get()).toBe(7)
    const list = await openList()
    list.put('a', 1)
    expect(list.all()).toEqual([1])
  })
})

describe('a stored list', () => {
  test('has the newest item first and drops the oldest', async () => {
    const list = await openList()
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) list.put(id, index)
    expect((await openList()).all()).toEqual([3, 2, 1])
    expect(list.get('a')).toBeUndefined()
  })

  test('keeps an item in its place when it changes', async () => {
    const list = await openList()
    for (const [index, id] of ['a', 'b', 'c'].entries()) list.put(id, index)
    list.put('a', 10)
    expect(list.all()).toEqual([2, 1, 10])
    list.remove('b')
    expect(list.all()).toEqual([2, 10])
  })

  test('is the same array until an item changes', async () => {
    const list = await openList()
    list.put('a', 1)
    const first = list.all()
    expect(list.all()).toBe(first)
    list.put('a', 2)
    expect(list.all()).toEqual([2])
  })

  test('keeps the items of two tabs that write at the same time', async () => {
    const other = browser.open()
    const [here, there] = [await openList(), await openList(other)]
    tab.run(() => here.all())
    other.run(() => there.all())
    tab.run(() => here.put('a', 1))
    other.run(() => there.put('b', 2))
    expect(tab.run(() => here.all())).toEqual([2, 1])
  })
})

describe('a value with an owner', () => {
  test('is hidden from every other address', async () => {
    const { stored } = await load()
    const list = stored<number>({ key: 'clearwell.list', scope: 'device', owner: true, keep: 1, schema: numberOf })
    const value = stored<number>({ key: 'clearwell.own', scope: 'device', owner: true, schema: numberOf })
    list.of(ALICE).put('a', 1)
    value.of(ALICE).set(7)
    for (const other of [BOB, '']) {
      expect([list.of(other).all(), list.of(other).get('a'), value.of(other).get()]).toEqual([[], undefined, undefined])
    }
    expect([list.of(ALICE.toLowerCase()).all(), value.of(ALICE.toLowerCase()).get()]).toEqual([[1], 7])
    // Each address has its own items, as many as are kept.
    list.of(BOB).put('b', 2)
    expect(list.of(ALICE).all()).toEqual([1])
  })

  test('is not stored for an empty address', async () => {
    const { stored } = await load()
    stored<number>({ key: 'clearwell.own', scope: 'device', owner: true, schema: numberOf }).of('').set(7)
    expect(browser.stored.size).toBe(0)
  })
})

test('a disconnected wallet clears its values, also of unloaded code', async () => {
  browser.stored.set('clearwell.until-disconnect.unloaded.a', '1')
  browser.stored.set('clearwell.number', '5')
  const { forgetUntilDisconnect, stored } = await load()
  const own = stored<number>({
    key: 'clearwell.until-disconnect.own',
    scope: 'device',
    clearsOnDisconnect: true,
    schema: numberOf,
  })
  own.set(1)
  browser.isFull = true
  own.set(2)
  const heard = vi.fn()
  own.subscribe(heard)
  forgetUntilDisconnect()
  expect(own.get()).toBeUndefined()
  expect(heard).toHaveBeenCalled()
  expect([...browser.stored.keys()]).toEqual(['clearwell.number'])
})

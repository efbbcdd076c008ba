import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'

/**
 * A browser for tests in Node: its tabs share one local storage and notice each other's writes through the `storage`
 * event. Code in `tab.run`, and all that it starts, uses this tab's `window` and `localStorage`.
 */
export class FakeBrowser {
  readonly stored = new Map<string, string>()
  /** Every write that changed something, in order. */
  readonly writes: { tab: FakeTab; key: string; value: string | null }[] = []
  /** True if the storage is full, so that each write throws. */
  isFull = false
  readonly tabs: FakeTab[] = []

  constructor() {
    const current = () => here.getStore() ?? this.tabs[0]
    for (const [name, get] of [
      ['window', () => current()?.window],
      ['localStorage', () => current()?.localStorage],
    ] as const)
      Object.defineProperty(globalThis, name, { configurable: true, get })
  }

  /** Opens a tab with its own modules. */
  open(): FakeTab {
    const tab = new FakeTab(this)
    this.tabs.push(tab)
    return tab
  }

  /** Called after each test. */
  close(): void {
    Reflect.deleteProperty(globalThis, 'window')
    Reflect.deleteProperty(globalThis, 'localStorage')
  }

  /** Stores, and tells the other tabs, as a browser does: later, and only what changed. */
  write(tab: FakeTab, key: string, value: string | null): void {
    const oldValue = this.stored.get(key) ?? null
    if (oldValue === value) return
    if (value === null) this.stored.delete(key)
    else {
      if (this.isFull) throw new Error('QuotaExceededError')
      this.stored.set(key, value)
    }
    this.writes.push({ tab, key, value })
    for (const other of this.tabs) {
      if (other === tab) continue
      const event = Object.assign(new Event('storage'), { key, oldValue, newValue: value })
      setTimeout(() => other.run(() => other.window.dispatchEvent(event)), 0)
    }
  }
}

const here = new AsyncLocalStorage<FakeTab>()

export class FakeTab {
  readonly window: EventTarget & { ethereum?: unknown } = new EventTarget()
  readonly localStorage: Storage
  reloads = 0

  constructor(browser: FakeBrowser) {
    this.localStorage = {
      getItem: (key) => browser.stored.get(key) ?? null,
      setItem: (key, value) => browser.write(this, key, String(value)),
      removeItem: (key) => browser.write(this, key, null),
      key: (index) => [...browser.stored.keys()][index] ?? null,
      clear: () => {},
      get length() {
        return browser.stored.size
      },
    }
  }

  run<Result>(work: () => Result): Result {
    return here.run(this, work)
  }

  /** Runs with modules that no other tab has loaded. */
  load<Result>(work: () => Promise<Result>): Promise<Result> {
    vi.resetModules()
    return this.run(work)
  }

  static current(): FakeTab | undefined {
    return here.getStore()
  }
}

import { useSyncExternalStore } from 'react'

/** A value outside React that components can follow. */
export interface Store<Value> {
  get(): Value
  /** The value that a prerendered page was drawn with. */
  initial(): Value
  set(value: Value): void
  subscribe(listener: () => void): () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    initial: () => initial,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The same store, with a value where it has none. */
export function withDefault<Value>(store: Store<Value | undefined>, fallback: Value): Store<Value> {
  return { ...store, get: () => store.get() ?? fallback, initial: () => store.initial() ?? fallback }
}

/**
 * The store's value now, and a render whenever it changes. Over a prerendered page, React first renders the value that the
 * page was drawn with: it leaves the page's attributes as they are. Where pages are drawn there is no document.
 */
export function useStore<Value>({ subscribe, get, initial }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, get, typeof document === 'undefined' ? get : initial)
}

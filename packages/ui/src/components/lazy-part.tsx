import { type ComponentType, type ReactNode, startTransition, useEffect, useEffectEvent, useState } from 'react'
import { importAgain } from '../browser/import-again.ts'
import { createStore } from '../browser/store.ts'

/** True if the last opened sheet failed to load; `LoadFailure` shows it. */
export const loadFailureStore = createStore(false)

/** How many parts are being loaded now. */
let loadingCount = 0

/** Returns whether a chunk that just failed to load may be that of a part, which reports the failure and retries. */
export function isLoadingPart(): boolean {
  return loadingCount > 0
}

/** Loads the code of a part of a screen. The caller reports a rejection to the user. */
export async function loadPart<Code>(load: () => Promise<Code>): Promise<Code> {
  loadingCount += 1
  try {
    return await load()
  } finally {
    loadingCount -= 1
  }
}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

/**
 * A sheet or dialog whose code is loaded when it is first opened, or ahead of that by `preload`. Where it cannot be loaded
 * it is closed again and that is said; the screen stays as it is, and the next press tries again. React's own `lazy` would
 * take the whole page down with it, and keep the failure for good.
 */
export function lazySheet<Props extends { readonly onClose: () => void }>(load: Load<Props>) {
  const part = keepLoaded(load)

  function LazySheet(props: Props) {
    const close = useEffectEvent(props.onClose)
    const Loaded = useLoaded(part, (isLoaded) => {
      loadFailureStore.set(!isLoaded)
      if (!isLoaded) close()
    })
    const [isShown, setShown] = useState(false)
    // After the paint that follows the press: a slow phone takes a tenth of a second to draw a sheet.
    useEffect(() => startTransition(() => setShown(true)), [])
    return Loaded && isShown && <Loaded {...props} />
  }

  return Object.assign(LazySheet, { preload: part.load })
}

/**
 * The same for a part that loads without a press: if loading fails, `fallback` stays in its place, and the part is loaded
 * again when the network returns.
 */
export function lazyPart<Props extends object>(load: Load<Props>) {
  const part = keepLoaded(load)

  function LazyPart(props: Props & { readonly fallback?: ReactNode }) {
    const Loaded = useLoaded(part)
    return Loaded ? <Loaded {...props} /> : props.fallback
  }

  return Object.assign(LazyPart, { preload: part.load })
}

interface Part<Props> {
  loaded(): ComponentType<Props> | undefined
  load(): Promise<void>
}

function keepLoaded<Props>(load: Load<Props>): Part<Props> {
  let component: ComponentType<Props> | undefined
  let loadNext = load
  return {
    loaded: () => component,
    async load() {
      try {
        component ??= (await loadPart(loadNext)).default
      } catch (error) {
        loadNext = importAgain<Awaited<ReturnType<Load<Props>>>>(error) ?? load
        throw error
      }
    },
  }
}

function useLoaded<Props>(part: Part<Props>, onEnd?: (isLoaded: boolean) => void): ComponentType<Props> | undefined {
  const [, setLoaded] = useState(part.loaded() !== undefined)
  const end = useEffectEvent((isLoaded: boolean) => {
    if (isLoaded) setLoaded(true)
    onEnd?.(isLoaded)
  })
  useEffect(() => {
    let isWanted = true
    const load = () =>
      part.load().then(
        () => isWanted && end(true),
        () => isWanted && end(false),
      )
    void load()
    addEventListener('online', load)
    return () => {
      isWanted = false
      removeEventListener('online', load)
    }
  }, [part])
  return part.loaded()
}

/** Loads parts in an idle moment, so that the first press on each opens it immediately, even offline. */
export function usePreloaded(parts: readonly { preload: () => Promise<void> }[]): void {
  useEffect(() => {
    // Offline, the press loads it and reports a failure.
    const load = () => Promise.allSettled(navigator.onLine ? parts.map(({ preload }) => preload()) : [])
    if ('requestIdleCallback' in window) {
      const idle = requestIdleCallback(load, { timeout: 2_000 })
      return () => cancelIdleCallback(idle)
    }
    const timer = setTimeout(load, 200)
    return () => clearTimeout(timer)
  }, [parts])
}

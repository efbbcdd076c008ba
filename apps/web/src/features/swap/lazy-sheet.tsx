import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { m } from '../../generated/paraglide/messages.js'
import { createStore, useStore } from '../../ui/store.ts'
import { Problem } from './swap-notes.tsx'

/** Whether the sheet that was asked for last could not be loaded. */
const failureStore = createStore(false)

/**
 * A sheet whose code is loaded when it is first opened, or ahead of that by `preload`. Where it cannot be loaded it is
 * closed again and `SheetFailure` says so; the screen stays as it is, and the next press tries again. React's own `lazy`
 * would take the screen down with it, and keep the failure for good.
 */
export function lazySheet<Props extends { readonly onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  let Loaded: ComponentType<Props> | undefined

  async function preload(): Promise<void> {
    Loaded ??= (await load()).default
  }

  function LazySheet(props: Props) {
    const [, setLoaded] = useState(Loaded !== undefined)
    const close = useEffectEvent(props.onClose)
    useEffect(() => {
      failureStore.set(false)
      let isWanted = true
      preload().then(
        () => isWanted && setLoaded(true),
        () => {
          if (!isWanted) return
          failureStore.set(true)
          close()
        },
      )
      return () => {
        isWanted = false
      }
    }, [])
    return Loaded && <Loaded {...props} />
  }

  return Object.assign(LazySheet, { preload })
}

/** Loads sheets in an idle moment, so that the first press on each opens it at once, also where there is no network then. */
export function usePreloaded(sheets: readonly { preload: () => Promise<void> }[]): void {
  useEffect(() => {
    // Without a network it is left for the press: then a failure is told.
    const load = () => Promise.allSettled(navigator.onLine ? sheets.map(({ preload }) => preload()) : [])
    if ('requestIdleCallback' in window) {
      const idle = requestIdleCallback(load, { timeout: 2_000 })
      return () => cancelIdleCallback(idle)
    }
    const timer = setTimeout(load, 200)
    return () => clearTimeout(timer)
  }, [sheets])
}

/** Says that what was pressed could not be opened. Made of nothing that would have to be loaded itself. */
export function SheetFailure() {
  const isFailed = useStore(failureStore)
  useEffect(() => () => failureStore.set(false), [])
  return isFailed && <Problem text={m.app_no_answer()} detail={m.swap_sheet_failed()} />
}

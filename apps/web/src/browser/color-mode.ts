import { useEffect } from 'react'
import { showMode } from './show-mode.ts'
import { createStore } from './store.ts'

export const COLOR_MODES = ['system', 'light', 'dark'] as const
export type ColorMode = (typeof COLOR_MODES)[number]

const KEY = 'clearwell.mode'

/** The user's choice; dark by default. A script outside this module applies the mode before the first paint. */
export const colorModeStore = createStore<ColorMode>(loadChoice())

/** The modes that pages force now; the last one is in effect. */
let forced: readonly { readonly mode: ColorMode }[] = []

/** Keeps a choice in local storage and shows it, unless a page forces a mode meanwhile. */
export function chooseColorMode(mode: ColorMode): void {
  try {
    localStorage.setItem(KEY, mode)
  } catch {
    // Storage is full or forbidden: the choice holds until the page is closed.
  }
  colorModeStore.set(mode)
  apply()
}

/** Follows the operating system while the choice is `system`. Called once at start. */
export function followSystemColorMode(): void {
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', apply)
}

/**
 * Shows a mode instead of the user's choice, which stays stored. `system` forces nothing: it is rejected with a
 * warning. @returns a function that restores the previous mode.
 */
export function forceColorMode(mode: ColorMode): () => void {
  if (mode === 'system') {
    // biome-ignore lint/suspicious/noConsole: the specification (§4) asks for this warning.
    console.warn('forceColorMode: a page may force light or dark; system is refused')
    return () => {}
  }
  const entry = { mode }
  forced = [...forced, entry]
  apply()
  return () => {
    forced = forced.filter((other) => other !== entry)
    apply()
  }
}

/**
 * Forces a mode while the calling page is mounted, such as light for a page that prints.
 *
 * @public
 */
export function useForcedColorMode(mode: 'light' | 'dark'): void {
  useEffect(() => forceColorMode(mode), [mode])
}

function apply(): void {
  const mode = forced.at(-1)?.mode ?? colorModeStore.get()
  const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  showMode(mode === 'system' ? system : mode)
}

function loadChoice(): ColorMode {
  try {
    const stored = localStorage.getItem(KEY)
    return COLOR_MODES.find((mode) => mode === stored) ?? 'dark'
  } catch {
    return 'dark'
  }
}

import { createStore } from './store.ts'

export const COLOR_MODES = ['system', 'light', 'dark'] as const
export type ColorMode = (typeof COLOR_MODES)[number]

const KEY = 'clearwell.mode'

/** What the user chose; dark until they choose. public/mode.js applies it before the first paint. */
export const colorModeStore = createStore<ColorMode>(loadChoice())

let forced: 'light' | 'dark' | undefined

/** Keeps a choice in local storage and shows it. */
export function chooseColorMode(mode: ColorMode): void {
  localStorage.setItem(KEY, mode)
  colorModeStore.set(mode)
  apply()
}

/** For a page that works in one mode only; `undefined` gives the choice back. */
export function forceColorMode(mode: ColorMode | undefined): void {
  if (mode === 'system') {
    // biome-ignore lint/suspicious/noConsole: the specification asks for a warning (§4).
    console.warn('A page may force light or dark, not system.')
    return
  }
  forced = mode
  apply()
}

/** Follows the operating system while the choice is `system`. Called once at start. */
export function followSystemColorMode(): void {
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', apply)
}

function apply(): void {
  const chosen = colorModeStore.get()
  const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  document.documentElement.dataset.mode = forced ?? (chosen === 'system' ? system : chosen)
}

function loadChoice(): ColorMode {
  const stored = typeof localStorage === 'undefined' ? null : localStorage.getItem(KEY)
  return COLOR_MODES.find((mode) => mode === stored) ?? 'dark'
}

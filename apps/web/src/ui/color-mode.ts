import { createStore } from './store.ts'

export const COLOR_MODES = ['system', 'light', 'dark'] as const
export type ColorMode = (typeof COLOR_MODES)[number]

const KEY = 'clearwell.mode'

/** What the user chose; dark until they choose. public/mode.js applies it before the first paint. */
export const colorModeStore = createStore<ColorMode>(loadChoice())

/** Keeps a choice in local storage and shows it. */
export function chooseColorMode(mode: ColorMode): void {
  localStorage.setItem(KEY, mode)
  colorModeStore.set(mode)
  apply()
}

/** Follows the operating system while the choice is `system`. Called once at start. */
export function followSystemColorMode(): void {
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', apply)
}

function apply(): void {
  const chosen = colorModeStore.get()
  const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  document.documentElement.dataset.mode = chosen === 'system' ? system : chosen
}

function loadChoice(): ColorMode {
  const stored = typeof localStorage === 'undefined' ? null : localStorage.getItem(KEY)
  return COLOR_MODES.find((mode) => mode === stored) ?? 'dark'
}

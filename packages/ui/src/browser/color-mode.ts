import { useEffect } from 'react'
import { showMode } from './show-mode.ts'
import { withDefault } from './store.ts'
import { stored } from './stored.ts'

export const COLOR_MODES = ['system', 'light', 'dark'] as const
export type ColorMode = (typeof COLOR_MODES)[number]

/** The choice between light and dark; dark by default. A script outside this module applies the mode before the first paint. */
export const colorModeStore = withDefault(
  stored<ColorMode>({
    key: 'clearwell.mode',
    scope: 'device',
    format: 'text',
    schema: (value) => COLOR_MODES.find((mode) => mode === value),
  }),
  'dark',
)

/** The modes that pages force now; the last one is in effect. */
let forced: readonly { readonly mode: ColorMode }[] = []

/** Stores a choice and shows it, unless a page forces a mode meanwhile. */
export function chooseColorMode(mode: ColorMode): void {
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

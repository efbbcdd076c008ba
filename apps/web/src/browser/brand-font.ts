const KEY = 'clearwell.font'

/** The font is in the browser's cache: `before-paint.ts` then shows the page in it from the start. */
export function isFontFetched(stored: (key: string) => string | null): boolean {
  return stored(KEY) !== null
}

/**
 * Fetches the font on the first visit, for this page's next screen and for later visits. The screen that is open keeps the
 * font of the system, so that nothing moves while someone reads it.
 *
 * @param onNextScreen runs its argument when the next screen is about to show.
 */
export async function fetchFont(onNextScreen: (show: () => void) => void): Promise<void> {
  const { dataset } = document.documentElement
  if ('font' in dataset) return
  const [face] = await document.fonts.load('16px Inter').catch(() => [])
  // Without a network the next visit tries again.
  if (!face) return
  try {
    localStorage.setItem(KEY, '1')
  } catch {
    // Storage is full or forbidden: each visit begins in the font of the system.
  }
  onNextScreen(() => {
    dataset.font = ''
  })
}

import { stored } from '@clearwell/ui/browser/stored.ts'

/** A mark that is set once the font is in the browser's cache: `before-paint.ts` then shows the page in it from the start. */
const fetched = stored<string>({
  key: 'clearwell.font',
  scope: 'device',
  format: 'text',
  schema: (value) => (value === '1' ? value : undefined),
})

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
  fetched.set('1')
  onNextScreen(() => {
    dataset.font = ''
  })
}

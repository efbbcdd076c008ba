import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { gallery } from '../build/gallery.ts'

const WEB = join(import.meta.dirname, '..')
const read = (pattern: string) => globSync(pattern, { cwd: WEB }).map((file) => readFileSync(join(WEB, file), 'utf8'))

/** Show nothing of their own, only what other components need, or need a router. */
const WITHOUT_EXAMPLE = [
  'error-page.tsx',
  'not-found-page.tsx',
  'lazy-part.tsx',
  'message-dialog.tsx',
  'toasts.tsx',
  'chart-shell.tsx',
  'candle-figures.tsx',
  // A warning, while a part of the service is away.
  'part-away.tsx',
  'shown-amounts.tsx',
  'screen-place.tsx',
  // Needs the browser's own offer to install.
  'install-offer.tsx',
  // Needs the prices of the pools.
  'sum-of-assets.tsx',
]

test('shows every component', () => {
  const sources = read('gallery/*.tsx').join('\n')
  const components = globSync('{src,../../packages/ui/src}/components/**/*.tsx', { cwd: WEB })
    .map((file) => basename(file))
    .filter((name) => !name.endsWith('.test.tsx'))
  const missing = components.filter((name) => !WITHOUT_EXAMPLE.includes(name) && !sources.includes(`/${name}'`))
  expect(missing, 'Add an example of each to apps/web/gallery').toEqual([])
})

test('the gallery exists in development only, and the app imports none', () => {
  expect(gallery().apply).toBe('serve')
  const importing = read('{src,build}/**/*.{ts,tsx,css}').filter((source) =>
    /(from|import) '[./]*\/gallery\//.test(source),
  )
  expect(importing).toEqual([])
  // Tailwind would write the classes of the gallery into the app's styles.
  expect(readFileSync(join(WEB, 'src/app.css'), 'utf8')).toContain("@source not '../gallery';")
})

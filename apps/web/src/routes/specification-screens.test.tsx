import { pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import { expect, test } from 'vitest'
import { renderScreen } from '../testing/render-screen.tsx'
import { pathsOfSpecification } from '../testing/specification.ts'

// The rows of the screens are those of the specification's table, in its order.
for (const [index, path] of pathsOfSpecification().entries()) {
  const tag = `§2.${String(index + 1).padStart(2, '0')}`
  test(`${path} of the specification is a screen in both languages`, { tags: [tag] }, async () => {
    for (const locale of ['zh-HK', 'en'] as const) {
      const html = await renderScreen(pathInLocale(path.replace('{name}', 'BNBUSDT'), locale))
      expect(html).toContain('<h1')
      expect(html).not.toMatch(/role="alert"[^>]*><p[^>]*>(404|500)</)
    }
  })
}

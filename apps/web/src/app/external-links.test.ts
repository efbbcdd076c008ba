import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('nothing but ExternalLink leads out of the app', { tags: ['§8.19'] }, () => {
  const src = join(import.meta.dirname, '..')
  const files = globSync('{.,../../../packages/ui/src}/**/*.tsx', { cwd: src, exclude: ['**/*.test.tsx'] })
  const leading = files.filter((file) =>
    // A link within the app spreads the router's properties or begins with #, and the prerendered error page leads home.
    /target="_blank"|<a\s[^>]*\bhref=(?!"\/"|\{`#)|window\.open\(|location\.(href|assign|replace)\b\s*[=(]/.test(
      readFileSync(join(src, file), 'utf8'),
    ),
  )
  expect(leading).toEqual(['../../../packages/ui/src/components/external-link.tsx'])
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Fault } from './boundaries/sources.ts'

/**
 * Finds colours, sizes, radii and durations of the web that are not tokens of `tokens.css`. Every value of the look has
 * one place, so that screens agree and both colour modes stay readable.
 *
 *     node scripts/check-tokens.ts
 */

/** Values that no token can have, with the reason. */
const ALLOWED: readonly { readonly file: string; readonly value: string; readonly reason: string }[] = [
  {
    file: 'browser/show-mode.ts',
    value: '#0a121c',
    reason: 'the browser’s own frame takes a colour before any style is there',
  },
  { file: 'browser/show-mode.ts', value: '#f5f8fa', reason: 'as above, in light mode' },
  {
    file: 'demo-wallet/demo-wallet.ts',
    value: '#12324a',
    reason: 'the picture of a wallet, as an extension hands it over',
  },
  { file: 'demo-wallet/demo-wallet.ts', value: '#f5b94f', reason: 'as above' },
]

const RULES: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  // `text-[0.8em]`, `bg-[#123456]`, `h-[300px]`; `[overflow-wrap:anywhere]` and `grid-cols-[auto_1fr]` are layout.
  { name: 'a length', pattern: /[\w)]-\[[^\]\s'"`]*?\d(?:px|rem|em)\b[^\]\s'"`]*\]/g },
  { name: 'a colour', pattern: /#[\da-f]{8}\b|#[\da-f]{6}\b|\b(?:rgb|hsl|oklch)a?\(/gi },
  { name: 'a length in a style', pattern: /style=\{\{[^}]*?\d(?:px|rem|em)\b[^}]*\}\}/g },
  { name: 'a duration', pattern: /\b(?:duration|delay)-\[[^\]]+\]|\bduration-(?!0\b)\d+\b/g },
  { name: 'a radius', pattern: /\brounded(?:-[trblse]{1,2})?-(?:xs|sm|md|lg|xl|\dxl)\b/g },
  // Gaps and paddings follow one short scale: 4, 8, 12, 16, 24, 32 and 48 px.
  { name: 'a space', pattern: /(?<![\w-])(?:gap(?:-[xy])?|space-[xy]|p[xytbse]?)-(?:5|7|9|\d{2,}|\d+\.\d+)(?![\w.])/g },
]
/** 48 px is a step of the scale. */
const SPACE_12 = /-12$/
const NOT_THE_LOOK = /\/src\/generated\/|\.test\.tsx?$|\/testing\//

/** @returns the values outside the tokens, and the number of files that were read. */
export function checkTokens(root: string): { files: number; faults: Fault[] } {
  const files = globSync('{apps/web,packages/ui}/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !NOT_THE_LOOK.test(file),
  )
  const faults = files.toSorted().flatMap((file) => faultsOf(file, readFileSync(join(root, file), 'utf8')))
  return { files: files.length, faults }
}

/** The values of one file that are not tokens. */
export function faultsOf(file: string, text: string): Fault[] {
  return RULES.flatMap(({ name, pattern }) =>
    [...text.matchAll(pattern)]
      .filter(({ 0: value }) => !(name === 'a space' && SPACE_12.test(value)) && !isAllowed(file, value))
      .map(({ 0: value, index }) => ({
        path: file,
        line: text.slice(0, index).split('\n').length,
        message: `has ${name} outside the tokens: ${value}`,
      })),
  )
}

function isAllowed(file: string, value: string): boolean {
  return ALLOWED.some((each) => file.endsWith(each.file) && each.value === value.toLowerCase())
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { files, faults } = checkTokens(join(import.meta.dirname, '..'))
  for (const { path, line, message } of faults) console.error(`${path}:${line} ${message}`)
  console.log(`${files} files, ${faults.length} values outside the tokens`)
  if (faults.length > 0) process.exitCode = 1
}

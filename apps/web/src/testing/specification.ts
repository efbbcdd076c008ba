import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The paths in the table of section 2 of the specification. */
export function pathsOfSpecification(): string[] {
  const file = join(import.meta.dirname, '../../../../docs/reference/specification.md')
  const section = /^## 2\..*?(?=^## 3\.)/ms.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
  const cells = [...section.matchAll(/^\| (\/[^|]*) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => cell.split(', '))
}

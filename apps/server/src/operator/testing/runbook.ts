import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const RECIPES = join(import.meta.dirname, '../../../../../docs/recipes')

/** The commands of a runbook, in their order. */
export function commandsOf(recipe: string): string[][] {
  const page = readFileSync(join(RECIPES, `${recipe}.md`), 'utf8')
  const lines = [...page.matchAll(/^npm run operator -- (.*?)(?: +#.*)?$/gm)].map(([, words = '']) => words)
  return lines.map((line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''))
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Replaces the generated tables of a page of docs/reference. With `--check` it only reports whether the page is up to date.
 *
 * @param tables by the names that the page has in `<!-- generated: <name> -->`.
 */
export function writeTables(page: string, tables: Readonly<Record<string, string>>): void {
  const file = join(import.meta.dirname, '../../../docs/reference', page)
  const text = readFileSync(file, 'utf8')
  const unused = new Set(Object.keys(tables))
  const expected = text.replaceAll(
    /(<!-- generated: (.+?) -->\n)[\s\S]*?(\n<!-- end -->)/g,
    (_block, begin: string, name: string, end: string) => {
      unused.delete(name)
      if (tables[name] === undefined) throw new Error(`${page} asks for a table that does not exist: ${name}`)
      return `${begin}\n${tables[name]}\n${end}`
    },
  )
  if (unused.size > 0) throw new Error(`${page} has no place for the table: ${[...unused].join(', ')}`)
  if (!process.argv.includes('--check')) writeFileSync(file, expected)
  else if (text !== expected) {
    process.stderr.write(`docs/reference/${page} is out of date: run npm run generate -w apps/server\n`)
    process.exitCode = 1
  }
}

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

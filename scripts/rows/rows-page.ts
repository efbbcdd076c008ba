import type { Breakage } from './breakage.ts'

/** The last time that a breakage was made, as the page shows it. */
export interface LastTry {
  readonly row: string
  /** The change that the breakage makes, in one line. */
  readonly about: string
  readonly file: string
  /** The file of the test that failed, or why none did. */
  readonly noticedBy: string
  /** In UTC, as `2026-11-28 02:40`. */
  readonly at: string
  readonly commit: string
}

const HEAD = `# Broken rows

Each row of the specification whose behaviour was broken on purpose, with the test that noticed. Read this page to see when a row was
last broken, and on which commit.

\`npm run rows -- --oldest --seconds 3600\` breaks the rows that have waited longest, those that were never broken first, and writes this
page after each. \`npm run rows -- 4.09\` breaks one row. [Testing](../concepts/testing.md) says what the breakages are.

| Row | Broken | File | Noticed by | Date (UTC) | Commit |
| --- | --- | --- | --- | --- | --- |
`
const COLUMNS = 6

/** Returns the page: one line for each breakage that was made, in the order of the rows. Others are left out. */
export function rowsPage(breakages: readonly Breakage[], tries: readonly LastTry[]): string {
  return (
    HEAD +
    breakages
      .flatMap((breakage) => tries.find((each) => isOf(each, breakage)) ?? [])
      .map(
        ({ row, about, file, noticedBy, at, commit }) =>
          `| §${row} | ${about} | ${file} | ${noticedBy} | ${at} | ${commit} |\n`,
      )
      .join('')
  )
}

/** Reads the last tries back from the page. */
export function readTries(page: string): LastTry[] {
  return page.split('\n').flatMap((line): LastTry[] => {
    const cells = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))
    const [row = '', about = '', file = '', noticedBy = '', at = '', commit = ''] = cells
    if (cells.length !== COLUMNS || !row.startsWith('§')) return []
    return [{ row: row.slice(1), about, file, noticedBy, at, commit }]
  })
}

/** Puts the breakages first that were never made, then the one that has waited longest. */
export function oldestFirst(breakages: readonly Breakage[], tries: readonly LastTry[]): Breakage[] {
  const atOf = (breakage: Breakage) => tries.find((each) => isOf(each, breakage))?.at ?? ''
  return breakages
    .map((breakage) => ({ breakage, at: atOf(breakage) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ breakage }) => breakage)
}

/** Returns what a page's cell shows of a breakage: no other column begins in it. */
export function aboutOf({ edit }: Breakage): string {
  return edit.about.replaceAll('|', '/').replaceAll('\n', ' ')
}

/** A breakage that changed has never been made. */
function isOf({ row, about, file }: LastTry, breakage: Breakage): boolean {
  return row === breakage.row && about === aboutOf(breakage) && file === breakage.file
}

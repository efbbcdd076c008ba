/** How a part of the night ended. `not run` has its reason in the note. */
export interface Outcome {
  readonly result: 'passed' | 'failed' | 'not run'
  readonly note: string
}

/** The last run of a part, as the page shows it. */
export interface LastRun extends Outcome {
  readonly name: string
  /** In UTC, as `2026-11-28 02:40`. Empty where the part never ran. */
  readonly at: string
  readonly commit: string
  readonly minutes: string
}

const HEAD = `# Nightly

The tests that are too slow for \`npm test\`, each with its last run. Read this page to see what was tried last, and on which commit.

\`npm run nightly\` runs the parts, the one that has waited longest first, until four hours are used. The next run continues there.
\`npm run nightly -- kills vault\` runs some parts. Both write this page. A part that this machine cannot
run, or that the end of the four hours stopped, is \`not run\`, with the reason in the note.

| part | tests | result | date (UTC) | commit | minutes | note |
|---|---|---|---|---|---|---|
`
const COLUMNS = 7

/** @param abouts of every part, by its name; a part without a run is `not run`. */
export function nightlyPage(abouts: ReadonlyMap<string, string>, runs: readonly LastRun[]): string {
  const rows = [...abouts].map(([name, about]) => {
    const { result, at, commit, minutes, note } = runs.find((each) => each.name === name) ?? neverRun(name)
    return [name, about, result, at, commit, minutes, note]
  })
  return HEAD + rows.map((row) => `| ${row.join(' | ')} |\n`).join('')
}

/** Reads the last runs back from the page: they say which part is next. */
export function readNightly(page: string): LastRun[] {
  return page.split('\n').flatMap((line): LastRun[] => {
    const cells = line.split('|').slice(1, -1)
    const [name = '', , result = '', at = '', commit = '', minutes = '', note = ''] = cells.map((cell) => cell.trim())
    if (cells.length !== COLUMNS || !isResult(result)) return []
    return [{ name, result, at, commit, minutes, note }]
  })
}

/** The names of all parts, in the order of the next run: those that never ended first, then the one that has waited longest. */
export function inOrder(names: readonly string[], runs: readonly LastRun[]): string[] {
  const ended = (name: string) => {
    const run = runs.find((each) => each.name === name)
    return run === undefined || run.result === 'not run' ? '' : run.at
  }
  return names.toSorted((a, b) => (ended(a) < ended(b) ? -1 : ended(a) > ended(b) ? 1 : 0))
}

function neverRun(name: string): LastRun {
  return { name, result: 'not run', at: '', commit: '', minutes: '', note: 'never' }
}

function isResult(text: string): text is Outcome['result'] {
  return ['passed', 'failed', 'not run'].includes(text)
}

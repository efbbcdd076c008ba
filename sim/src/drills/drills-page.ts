import type { DrillResult } from './drill.ts'

/** The last run of a drill, as the page shows it. */
export type LastRun =
  | (DrillResult & { readonly name: string; readonly date: string; readonly commit: string })
  | { readonly name: string; readonly notRun: string }

const HEAD = `# Drills

Each drill makes a fault on the real product, with PostgreSQL and server processes, while clients swap. It counts the acknowledged
commands and compares them with the ledger. Read this page to see what was tried last, and what it cost.

\`npm run drill <name>\` runs one, \`npm run drill all\` runs each, and both write this page. Lost: acknowledged, but not in the ledger.
Doubled: in the ledger, but no response of a client names it. Seconds: the longest time without an acknowledgement.

| drill | fault | date | commit | acknowledged | lost | doubled | seconds | notes |
|---|---|---|---|---|---|---|---|---|
`
const COLUMNS = 9

/** Begins the part of the page that `npm run cluster -- drill` writes. */
const CLUSTER = '\n## Three machines\n'

/** The part of the page about the cluster, which drills of servers keep; empty where there is none. */
export function clusterPart(page: string): string {
  const at = page.indexOf(CLUSTER)
  return at === -1 ? '' : page.slice(at)
}

/** The rest of the page, which drills of the cluster keep. */
export const serverPart = (page: string): string => page.slice(0, page.length - clusterPart(page).length)

/**
 * The page's part about servers.
 *
 * @param abouts of every drill, by its name; a drill without a last run is `not run`.
 */
export function drillsPage(abouts: ReadonlyMap<string, string>, runs: readonly LastRun[]): string {
  const rows = [...abouts].map(([name, about]) => {
    const run = runs.find((each) => each.name === name) ?? { name, notRun: 'never' }
    if ('notRun' in run) return [name, about, 'not run', '', '', '', '', '', run.notRun]
    const { date, commit, acknowledged, lost, doubled, secondsToRecovery, notes } = run
    return [name, about, date, commit, acknowledged, lost, doubled, secondsToRecovery.toFixed(1), notes]
  })
  return HEAD + rows.map((row) => `| ${row.join(' | ')} |\n`).join('')
}

/** Reads the last runs back from the page, so that running one drill keeps the rows of the others. */
export function readLastRuns(page: string): LastRun[] {
  return serverPart(page)
    .split('\n')
    .flatMap((line): LastRun[] => {
      const cells = line.split('|').slice(1, -1)
      const [name = '', , date = '', commit = '', ...rest] = cells.map((cell) => cell.trim())
      const [acknowledged, lost, doubled, secondsToRecovery, notes = ''] = rest
      if (cells.length !== COLUMNS || name === 'drill' || name.startsWith('---')) return []
      if (date === 'not run') return [{ name, notRun: notes }]
      const figures = { acknowledged: Number(acknowledged), lost: Number(lost), doubled: Number(doubled) }
      return [{ name, date, commit, ...figures, secondsToRecovery: Number(secondsToRecovery), notes }]
    })
}

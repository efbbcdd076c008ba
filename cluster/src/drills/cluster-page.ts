import type { ClusterDrillResult } from './cluster-drill.ts'

/** The last run of a drill of the cluster, as the page shows it. */
export type LastClusterRun =
  | (ClusterDrillResult & { readonly name: string; readonly date: string; readonly commit: string })
  | { readonly name: string; readonly notRun: string }

const HEAD = `
## Three machines

\`npm run cluster -- drill <name>\` starts etcd, PostgreSQL under Patroni, HAProxy and a server on each of three machines, which are folders
of one machine. Eight users swap, pledge, set alerts and plan swaps, at most 200 commands a second together, at all three addresses.
\`npm run cluster -- drill all\` runs each. Reads: prices, the own profile and balances, served of those asked for while the fault lasted,
without a second attempt later. etcd has a heartbeat of 300 ms and an election after 3 s, for shared cores, and Patroni a lease of 20 s.

| drill | fault | date | commit | acknowledged | lost | doubled | seconds | reads | notes |
|---|---|---|---|---|---|---|---|---|---|
`
const COLUMNS = 10

/** @param abouts of every drill, by its name; a drill without a last run is `not run`. */
export function clusterPage(abouts: ReadonlyMap<string, string>, runs: readonly LastClusterRun[]): string {
  const rows = [...abouts].map(([name, about]) => {
    const run = runs.find((each) => each.name === name) ?? { name, notRun: 'never' }
    if ('notRun' in run) return [name, about, 'not run', '', '', '', '', '', '', run.notRun]
    const { date, commit, acknowledged, lost, doubled, secondsToRecovery, reads, notes } = run
    return [name, about, date, commit, acknowledged, lost, doubled, secondsToRecovery.toFixed(1), reads, notes]
  })
  return HEAD + rows.map((row) => `| ${row.join(' | ')} |\n`).join('')
}

/** Reads the last runs back from the page's part about the cluster. */
export function readLastClusterRuns(part: string): LastClusterRun[] {
  return part.split('\n').flatMap((line): LastClusterRun[] => {
    const cells = line.split('|').slice(1, -1)
    const [name = '', , date = '', commit = '', ...rest] = cells.map((cell) => cell.trim())
    const [acknowledged, lost, doubled, secondsToRecovery, reads = '', notes = ''] = rest
    if (cells.length !== COLUMNS || name === 'drill' || name.startsWith('---')) return []
    if (date === 'not run') return [{ name, notRun: notes }]
    const figures = { acknowledged: Number(acknowledged), lost: Number(lost), doubled: Number(doubled) }
    return [{ name, date, commit, ...figures, secondsToRecovery: Number(secondsToRecovery), reads, notes }]
  })
}

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The parts of PostgreSQL that YugabyteDB or CockroachDB lack, and their uses in our SQL. */
interface Missing {
  readonly name: string
  readonly pattern: RegExp
  /** The issue, or the page, by which each engine lacks it; undefined where it has it. Read, not tried. */
  readonly yugabyte?: string
  readonly cockroach?: string
  /** Files that may use it, each with a replacement. No other file may. */
  readonly uses: Readonly<Record<string, string>>
}

const STATEMENT_TRIGGERS = 'protects append-only tables from `truncate`: the engine can revoke that right instead'

export const MISSING: readonly Missing[] = [
  {
    name: 'transition tables (`referencing new table`)',
    pattern: /\breferencing\s+(new|old)\s+table\b/i,
    yugabyte: 'yugabyte/yugabyte-db#1668',
    cockroach: 'cockroachdb/cockroach#135655, closed since',
    uses: {},
  },
  {
    name: 'statement triggers (`for each statement`)',
    pattern: /\bfor\s+each\s+statement\b/i,
    cockroach: 'cockroachdb/cockroach#126362, closed since',
    uses: {
      'packages/ledger/migrations/0001_ledger.sql': STATEMENT_TRIGGERS,
      'packages/ledger/migrations/0085_archives.sql': STATEMENT_TRIGGERS,
      'apps/server/migrations/0012_signer.sql': STATEMENT_TRIGGERS,
      'apps/server/migrations/0013_platform.sql': STATEMENT_TRIGGERS,
      'apps/server/migrations/0020_swap.sql': STATEMENT_TRIGGERS,
    },
  },
  {
    name: '`lock table`',
    pattern: /\block\s+table\b/i,
    yugabyte: 'off by default: yugabyte/yugabyte-db#5384, implemented by yugabyte/yugabyte-db#11571',
    cockroach: 'cockroachdb/cockroach#43654: was never supported',
    uses: { 'packages/ledger/src/detach-partition.ts': 'a table without partitions has none to detach' },
  },
  {
    name: '`alter table … disable trigger`',
    pattern: /\bdisable\s+trigger\b/i,
    cockroach: 'cockroachdb/cockroach#108170, closed since',
    uses: {},
  },
  {
    name: 'deferrable constraints, and constraint triggers',
    pattern: /\bdeferrable\b|\bcreate\s+constraint\s+trigger\b/i,
    yugabyte: 'yugabyte/yugabyte-db#1709, and constraint triggers yugabyte/yugabyte-db#31342',
    cockroach: 'cockroachdb/cockroach#158886',
    uses: {},
  },
  {
    name: 'the place of a row (`ctid`)',
    pattern: /\bctid\b/i,
    yugabyte: 'yugabyte/yugabyte-db#24843',
    cockroach: 'rows are found by their key alone',
    uses: {},
  },
  {
    name: 'sizes and estimates of tables (`pg_relation_size`, `relpages`, `reltuples`)',
    pattern: /\bpg_relation_size\b|\brelpages\b|\breltuples\b/i,
    yugabyte: 'its tables are not in files of PostgreSQL',
    cockroach: 'its tables are not in files of PostgreSQL',
    uses: { 'apps/server/src/platform/metrics/collect-platform.ts': 'two gauges, which are then 0' },
  },
  {
    name: 'state of replication (`pg_stat_replication`)',
    pattern: /\bpg_stat_replication\b/i,
    yugabyte: 'it replicates below PostgreSQL',
    cockroach: 'it replicates below PostgreSQL',
    uses: {
      'apps/server/src/platform/database/replication.ts':
        'shows no standby, which is what a managed database shows too',
    },
  },
  {
    name: 'declared partitions that a function attaches (`attach partition`)',
    pattern: /\battach\s+partition\b/i,
    cockroach: 'partitions are made by its own syntax of zones',
    uses: {
      'packages/ledger/migrations/0001_ledger.sql': 'one table without partitions holds the same rows',
      'packages/ledger/migrations/0085_archives.sql': 'one table without partitions holds the same rows',
    },
  },
  {
    name: '`execute` of composed SQL in a function',
    pattern: /\bexecute\s+format\s*\(/i,
    cockroach: 'cockroachdb/cockroach#172433 and cockroachdb/cockroach#172439: not for DDL in a function',
    uses: {
      'packages/ledger/migrations/0001_ledger.sql': 'makes the partitions, which are not needed there',
      'packages/ledger/migrations/0085_archives.sql': 'makes the partitions, which are not needed there',
    },
  },
  {
    name: '`listen` and `notify`',
    pattern: /(^|['"`;]\s*)(un)?listen\s+[a-z_]+\s*(;|['"`]|$)|\bpg_notify\s*\(/im,
    cockroach: 'cockroachdb/cockroach#41522',
    uses: {},
  },
  {
    name: 'advisory locks',
    pattern: /\bpg_(try_)?advisory_/i,
    cockroach: 'cockroachdb/cockroach#169981 for a session; those of a transaction since cockroachdb/cockroach#168353',
    uses: {},
  },
]

const root = join(import.meta.dirname, '..')
const SQL = ['{packages/ledger,apps/server}/migrations/*.sql', '{packages/ledger,apps/server,bookkeeper}/src/**/*.ts']

/** The code that runs against a database, by its path. Tests run on PostgreSQL alone. */
export function readSql(): ReadonlyMap<string, string> {
  const paths = globSync(SQL, { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  const own = paths.filter((path) => !/\.test\.ts$|\/testing\//.test(path))
  return new Map(own.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** Finds uses that the list does not have, and entries of the list that nothing uses any more. */
export function faultsOfPortability(sql: ReadonlyMap<string, string>, missing = MISSING): string[] {
  return missing.flatMap(({ name, pattern, uses }) => {
    const used = [...sql].filter(([, text]) => pattern.test(withoutComments(text))).map(([path]) => path)
    return [
      ...used
        .filter((path) => !(path in uses))
        .map(
          (path) =>
            `${path} uses ${name}, which other engines lack: find another way, or name one in scripts/portability.ts`,
        ),
      ...Object.keys(uses)
        .filter((path) => !used.includes(path))
        .map((path) => `${path} uses ${name} no longer: take it out of scripts/portability.ts`),
    ]
  })
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(--|\/\/|\*|\/\*\*).*$/gm, '')
}

/** The list as a table of docs/reference/engines.md. */
export function portabilityTable(missing = MISSING): string {
  const rows = missing.map(({ name, yugabyte, cockroach, uses }) => {
    const pathsOf = (way: string) => Object.keys(uses).filter((path) => uses[path] === way)
    const ways = [...new Set(Object.values(uses))].map(
      (way) =>
        `${pathsOf(way)
          .map((path) => `\`${path}\``)
          .join(', ')}: ${way}`,
    )
    return [name, yugabyte ?? 'has it', cockroach ?? 'has it', ways.length === 0 ? 'not used' : ways.join('; ')]
  })
  const head = ['part of PostgreSQL', 'YugabyteDB lacks it', 'CockroachDB lacks it', 'our uses']
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = faultsOfPortability(readSql())
  for (const fault of faults) console.log(fault)
  console.log(`${faults.length} faults of portability`)
  if (faults.length > 0) process.exitCode = 1
}

import { resolveImport } from './imports.ts'
import { isTestCode } from './sources.ts'

/**
 * The floors inside each app, highest first. A file imports from its own floor and from lower ones. Tests and `testing`
 * folders may import from any floor. A feature's own files, its manifest `<name>.feature.ts` included, are on the
 * features' floor. The web's floors are described in apps/web/README.md.
 */
const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'apps/server/src/': [
    ['main.ts', 'run-server.ts', 'operator.ts', 'vault.ts', 'operator/'],
    [
      'server.ts',
      'open-app.ts',
      'server-readiness.ts',
      'features.ts',
      'audits.ts',
      'load-config.ts',
      'metric-tables.ts',
      'event-tables.ts',
      'operator-actions.ts',
      'public-config.ts',
      'public-rules.ts',
      'rules.ts',
      'tables.ts',
      'timeline.ts',
    ],
    ['features/'],
    ['domain/'],
    ['platform/'],
    ['config/'],
  ],
  'apps/web/src/': [
    ['main.tsx', 'prerender.tsx'],
    ['boot/'],
    ['routes/'],
    ['app/'],
    ['features.ts'],
    ['features/'],
    ['manifest/'],
    ['content/'],
    ['vault-payment/'],
    ['account/'],
    ['wallet/'],
    ['components/'],
    ['api/'],
    ['browser/'],
    ['worker/'],
  ],
  'packages/ui/src/': [['components/'], ['icons/'], ['i18n/'], ['browser/']],
}

/** Returns the fault of an import inside an app, if it has one. */
export function faultOfFloor(path: string, specifier: string): string | undefined {
  const target = resolveImport(path, specifier)
  const app = Object.keys(FLOORS).find((folder) => path.startsWith(folder))
  if (!app || !target?.startsWith(app) || isTestCode(path) || isTestCode(target)) return undefined
  const [from, to] = [floorOf(app, path), floorOf(app, target)]
  if (!from) return `is on no floor of ${app}: move it to one, or add it to FLOORS in scripts/boundaries/floors.ts`
  if (!to || to.level >= from.level) return undefined
  return `${from.name} must not import ${to.name}, which is a higher floor ("${specifier}"): move the shared code down, or pass it in as an argument`
}

/** Level 0 is the highest floor. */
function floorOf(app: string, path: string): { readonly level: number; readonly name: string } | undefined {
  const local = path.slice(app.length)
  const floors = FLOORS[app] ?? []
  const holds = (entry: string) => (entry.endsWith('/') ? local.startsWith(entry) : local === entry)
  const level = floors.findIndex((entries) => entries.some(holds))
  const name = floors[level]?.find(holds)
  return name === undefined ? undefined : { level, name }
}

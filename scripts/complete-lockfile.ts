import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * `node scripts/complete-lockfile.ts`, after every `npm install` that changes package-lock.json.
 *
 * A package with native parts names one optional package for each platform. Where the registry at hand lacks one of them,
 * `npm install` leaves it out of the lockfile, and from then on `npm ci` refuses that lockfile on every machine. This adds
 * what was left out: the exact version that its parent asks for, and the platform that its name says. It is only ever
 * fetched on that platform, and without a checksum, because it was never downloaded here.
 */

export interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>

/** Ids that Node gives in `process.platform` and `process.arch`, and what packages call them beside that. */
const PLATFORMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const CPUS: Readonly<Record<string, string>> = {
  amd64: 'x64',
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  loong64: 'loong64',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  x64: 'x64',
}

/** The optional packages that are named and not locked, by the path that they belong at. */
export function missingOptionalPackages(packages: LockedPackages): Record<string, LockedPackage> {
  const missing: Record<string, LockedPackage> = {}
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (findLocked(packages, path, name) || missing[`node_modules/${name}`]?.version === version) continue
      if (!/^\d+\.\d+\.\d+[\w.+-]*$/.test(version))
        throw new Error(`${path} asks for ${name} ${version}, which is no exact version`)
      const at =
        (packages[`node_modules/${name}`] ?? missing[`node_modules/${name}`])
          ? `${path}/node_modules/${name}`
          : `node_modules/${name}`
      missing[at] = { version, ...platformOf(name), ...(entry.dev ? { dev: true } : {}), optional: true }
    }
  }
  return missing
}

/** Where Node would find `name` from the package at `path`: in its own node_modules, or in that of a folder above. */
export function findLocked(packages: LockedPackages, path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (packages[candidate]) return candidate
    if (folder === '') return undefined
  }
}

function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/]/)
  const os = words.find((word) => PLATFORMS.includes(word))
  const cpu = words.map((word) => CPUS[word.replace(/^arm(v\d\w*|eabi\w*)$/, 'arm')]).find((id) => id !== undefined)
  if (!cpu) throw new Error(`The name of ${name} does not say which processor it is for.`)
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu')) && 'glibc'
  return { ...(os ? { os: [os] } : {}), cpu: [cpu], ...(libc ? { libc: [libc] } : {}) }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = join(import.meta.dirname, '../package-lock.json')
  const lockfile = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> }
  const missing = missingOptionalPackages(lockfile.packages)
  const [own, ...rest] = Object.entries({ ...lockfile.packages, ...missing })
  const sorted = rest.toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  lockfile.packages = Object.fromEntries(own ? [own, ...sorted] : sorted)
  writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`)
  console.log(`${Object.keys(missing).length} optional packages of other platforms were added to package-lock.json.`)
}

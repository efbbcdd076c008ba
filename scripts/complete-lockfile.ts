import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * `node scripts/complete-lockfile.ts`, after every `npm install` that changes package-lock.json.
 *
 * A package with native parts names one optional package for each platform. Where the registry at hand lacks one of them,
 * `npm install` leaves it out of the lockfile, and from then on `npm ci` refuses that lockfile on every machine. This adds
 * what was left out: the exact version that its parent asks for, and the platform that its name says.
 *
 * It also asks the registry for each missing checksum. A registry that lacks a platform's packages has none either: those
 * stay in {@link WITHOUT_CHECKSUM} until this command runs where a registry has them. The check accepts no other package
 * without a checksum.
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

/** Packages whose checksum no registry at hand could give, one `path version` a line. `npm run check` compares it. */
export const WITHOUT_CHECKSUM = join(import.meta.dirname, 'packages-without-checksum.txt')

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

/** Resolves `name` from the package at `path` as Node does: in its own node_modules, or in that of a folder above. */
export function findLocked(packages: LockedPackages, path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (packages[candidate]) return candidate
    if (folder === '') return undefined
  }
}

/** Packages to be installed without a checksum, as `path version`. */
export function packagesWithoutChecksum(packages: LockedPackages): string[] {
  return Object.entries(packages)
    .filter(([path, { link, integrity }]) => path.split('/').includes('node_modules') && !link && !integrity)
    .map(([path, { version }]) => `${path} ${version}`)
}

/** Asks the registry for the checksum of a package; `undefined` where it has none. */
function askChecksum(path: string, version: string | undefined): string | undefined {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  try {
    const text = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return /^sha512-[A-Za-z0-9+/]{86}==$/.test(text) ? text : undefined
  } catch {
    return undefined
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
  const completed: Record<string, LockedPackage> = { ...lockfile.packages, ...missing }
  for (const line of packagesWithoutChecksum(completed)) {
    const path = line.slice(0, line.lastIndexOf(' '))
    const { version, ...more } = completed[path] ?? {}
    const integrity = askChecksum(path, version)
    if (version && integrity) completed[path] = { version, integrity, ...more }
  }
  const lacking = packagesWithoutChecksum(completed)
  writeFileSync(WITHOUT_CHECKSUM, lacking.map((line) => `${line}\n`).join(''))
  const [own, ...rest] = Object.entries(completed)
  const sorted = rest.toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  lockfile.packages = Object.fromEntries(own ? [own, ...sorted] : sorted)
  writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`)
  console.log(`${Object.keys(missing).length} optional packages of other platforms were added to package-lock.json.`)
  console.log(`${lacking.length} packages have no checksum: scripts/packages-without-checksum.txt lists them.`)
}

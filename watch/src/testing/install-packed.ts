import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Packs the tool, and installs its tarball in an empty folder, without the network. */
export async function installPacked() {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-packed-'))
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(import.meta.dirname, '../..') })
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
  return {
    /** Runs the installed command. */
    run: (args: readonly string[]) => runToEnd(join(folder, 'node_modules/.bin/clearwell-watch'), args, folder),
    remove: () => rm(folder, { recursive: true }),
  }
}

function runToEnd(command: string, args: readonly string[], cwd: string) {
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(command, [...args], { cwd }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

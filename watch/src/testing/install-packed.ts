import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const ROOT = join(import.meta.dirname, '../../..')
const PAGE = join(ROOT, 'docs/recipes/run-a-watchtower.md')

/** Packs the tool and installs it in an empty folder, by the commands of its recipe and without the network. */
export async function installPacked() {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-packed-'))
  const [[pack = '', install = ''] = [], [look = ''] = []] = await commandsOf(PAGE)
  await run('sh', ['-c', `${pack} --silent --pack-destination ${folder}`], { cwd: ROOT })
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('sh', ['-c', `${install} --silent --offline --no-audit --no-fund`], { cwd: folder })
  return {
    /** Runs the recipe's look with its places filled in, such as `node` for `<node>`. */
    look(places: Readonly<Record<string, string>>, more: readonly string[]) {
      const filled = look.replace(/<(\w+)>/g, (_, name) => places[name] ?? `<${name}>`)
      const [command = '', ...args] = filled.replace(/^npx /, `${folder}/node_modules/.bin/`).split(' ')
      return runToEnd(command, [...args, ...more], folder)
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

/** The commands of each block without a language. */
async function commandsOf(path: string): Promise<string[][]> {
  const blocks = (await readFile(path, 'utf8')).matchAll(/^```\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, body = '']) => body.trimEnd().split('\n'))
}

function runToEnd(command: string, args: readonly string[], cwd: string) {
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(command, [...args], { cwd }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

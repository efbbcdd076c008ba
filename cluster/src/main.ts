import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { deployFiles } from './deploy-files.ts'
import { runDrills } from './drills/run-drills.ts'
import { parseMachines } from './layout.ts'
import { NoPrograms } from './packages.ts'
import { runCluster } from './run-cluster.ts'

const HELP = `npm run cluster                                   three machines on this one, with a live table
npm run cluster -- drill [name …]                  makes a fault under load, and counts what was acknowledged
npm run cluster -- files --machines a=10.0.0.11,b=10.0.0.12,c=10.0.0.13 --to folder
                                                  the same configuration for real machines`

/** Faults that the person at the terminal can fix are one sentence. */
class Wrong extends Error {}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof NoPrograms || error instanceof Wrong)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main([task, ...args]: readonly string[]): Promise<void> {
  if (task === undefined) return runCluster()
  if (task === 'drill') {
    if (!(await runDrills(args))) process.exitCode = 1
    return
  }
  if (task === 'files') return writeFiles(args)
  throw new Wrong(HELP)
}

async function writeFiles(args: readonly string[]): Promise<void> {
  const string = { type: 'string' } as const
  const { machines, to } = parseArgs({ args: [...args], options: { machines: string, to: string } }).values
  if (machines === undefined || to === undefined) throw new Wrong(HELP)
  let files: ReadonlyMap<string, string>
  try {
    files = deployFiles(parseMachines(machines))
  } catch (error) {
    throw new Wrong((error as Error).message)
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await writeFile(join(to, path), text)
  }
  console.log(`${files.size} files are in ${to}.`)
}

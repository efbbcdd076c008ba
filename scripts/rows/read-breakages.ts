import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Breakage } from './breakage.ts'

const FOLDER = 'e2e/conformance/breakages'

/** Reads the breakages of every section, in the order of the rows. They are in files of one folder. */
export async function readBreakages(root: string): Promise<Breakage[]> {
  const files = globSync(`${FOLDER}/*.ts`, { cwd: root }).toSorted()
  const modules = await Promise.all(
    files.map(async (file) => (await import(pathToFileURL(join(root, file)).href)) as { breakages: Breakage[] }),
  )
  return modules.flatMap(({ breakages }) => breakages).toSorted((a, b) => numberOf(a) - numberOf(b))
}

function numberOf({ row }: Breakage): number {
  const [section, place] = row.split('.').map(Number)
  return (section ?? 0) * 1_000 + (place ?? 0)
}

import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Breakage } from './breakage.ts'

const FOLDER = 'e2e/conformance/breakages'
const importFrom = (root: string, file: string): Promise<unknown> => import(pathToFileURL(join(root, file)).href)

/** Reads the breakages of every section, in the order of the rows. They are in files of one folder. */
export async function readBreakages(root: string): Promise<Breakage[]> {
  const files = globSync(`${FOLDER}/*.ts`, { cwd: root }).toSorted()
  const modules = await Promise.all(
    files.map(async (file) => (await importFrom(root, file)) as { breakages: Breakage[] }),
  )
  return modules.flatMap(({ breakages }) => breakages).toSorted((a, b) => numberOf(a) - numberOf(b))
}

/** Reads the names of all rows, and of those that say why they have no breakage. */
export async function readRows(root: string): Promise<{ rows: string[]; withoutBreakage: string[] }> {
  const { ROWS } = (await importFrom(root, 'e2e/conformance/rows.ts')) as { ROWS: readonly { id: string }[] }
  const { WITHOUT_BREAKAGE } = (await importFrom(root, 'e2e/conformance/without-breakage.ts')) as {
    WITHOUT_BREAKAGE: Readonly<Record<string, string>>
  }
  return { rows: ROWS.map(({ id }) => id), withoutBreakage: Object.keys(WITHOUT_BREAKAGE) }
}

function numberOf({ row }: Breakage): number {
  const [section, place] = row.split('.').map(Number)
  return (section ?? 0) * 1_000 + (place ?? 0)
}

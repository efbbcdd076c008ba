import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One build: its id follows from its content, so that the same sources are the same build. */
export interface Build {
  readonly id: string
  readonly builtAt: string
}

/** Names the build in `outDir` by what is in it: `builds/meta/<id>.json` describes it, `builds/latest.json` names it. */
export async function nameBuild(outDir: string, page: string): Promise<Build> {
  const names = (await readdir(outDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'index.html')
    .map((entry) => join(entry.parentPath, entry.name).slice(outDir.length + 1))
    .sort()
  const hash = createHash('sha256').update(page)
  for (const name of names) hash.update(`${name}\0`).update(await readFile(join(outDir, name)))
  const build: Build = { id: hash.digest('hex').slice(0, 16), builtAt: new Date().toISOString() }
  const folder = join(outDir, 'builds')
  await mkdir(join(folder, 'meta'), { recursive: true })
  const assets = names.filter((name) => name.startsWith('assets/'))
  await writeFile(join(folder, 'meta', `${build.id}.json`), JSON.stringify({ ...build, assets }))
  await writeFile(join(folder, 'latest.json'), JSON.stringify(build))
  return build
}

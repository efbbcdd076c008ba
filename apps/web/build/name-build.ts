import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One build: its id follows from its content, so that the same sources are the same build. */
export interface Build {
  readonly id: string
  readonly builtAt: string
  /** Paths of its code, from the root of the site. */
  readonly assets: readonly string[]
}

/** Names the build in `outDir` by what is in it, and by `page`, which its pages are made of. */
export async function nameBuild(outDir: string, page: string): Promise<Build> {
  const names = (await readdir(outDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'index.html')
    .map((entry) => join(entry.parentPath, entry.name).slice(outDir.length + 1))
    .sort()
  const hash = createHash('sha256').update(page)
  for (const name of names) hash.update(`${name}\0`).update(await readFile(join(outDir, name)))
  const assets = names.filter((name) => name.startsWith('assets/'))
  return { id: hash.digest('hex').slice(0, 16), builtAt: new Date().toISOString(), assets }
}

/**
 * Tells those who have an older build open: `builds/meta/<id>.json` describes this one, `builds/latest.json` names it.
 * Call it last: a client that sees a build may load it.
 */
export async function announceBuild(outDir: string, { assets, ...build }: Build): Promise<void> {
  const folder = join(outDir, 'builds')
  await mkdir(join(folder, 'meta'), { recursive: true })
  await writeFile(join(folder, 'meta', `${build.id}.json`), JSON.stringify({ ...build, assets }))
  await writeFile(join(folder, 'latest.json'), JSON.stringify(build))
}

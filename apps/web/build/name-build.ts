import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A build. Its id is a hash of its content, so the same sources make the same build. */
export interface Build {
  readonly id: string
  readonly builtAt: string
  /** Paths of its code, relative to the root of the site. */
  readonly assets: readonly string[]
}

/** Names the build by the content of `outDir` and by `page`, the template of its pages. */
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
 * Announces the build to clients of older ones: `builds/meta/<id>.json` describes it, `builds/latest.json` names it. Call
 * this last, because a client may load an announced build immediately.
 */
export async function announceBuild(outDir: string, { assets, ...build }: Build): Promise<void> {
  const folder = join(outDir, 'builds')
  await mkdir(join(folder, 'meta'), { recursive: true })
  await writeFile(join(folder, 'meta', `${build.id}.json`), JSON.stringify({ ...build, assets }))
  await writeFile(join(folder, 'latest.json'), JSON.stringify(build))
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'

const latest = z.object({ id: z.string().check(z.minLength(1)), builtAt: z.string() })

/**
 * The id of the built web app, from `builds/latest.json` in its folder: the same that the page compares itself with.
 *
 * @returns `development` where there is no such file.
 * @throws when the file is not what the build writes.
 */
export async function readBuildId(webFolder: string): Promise<string> {
  const file = join(webFolder, 'builds/latest.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return 'development'
  try {
    return z.parse(latest, JSON.parse(text)).id
  } catch (cause) {
    throw new Error(`${file} is not what a build writes: build the web app again`, { cause })
  }
}

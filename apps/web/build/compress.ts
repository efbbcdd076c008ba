import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const COMPRESSIBLE = /\.(html|js|css|json|svg|webmanifest)$/
/** In bytes. In smaller responses the headers outweigh the content, so compression gains nothing. */
const MIN_BYTES = 512

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Writes `.br` and `.gz` beside each compressible file of `folder`, so that the server never compresses. */
export async function compress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
  await Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      const content = await readFile(path)
      if (content.length < MIN_BYTES) return
      const brotli = await toBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
      await writeFile(`${path}.br`, brotli)
      await writeFile(`${path}.gz`, await toGzip(content, { level: 9 }))
    }),
  )
}

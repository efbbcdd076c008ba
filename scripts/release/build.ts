import { join, resolve } from 'node:path'
import { buildRelease } from './build-release.ts'

/** `npm run build [-- <folder>]`: makes the release in this folder, or in `release`. The web app is built before. */
const root = join(import.meta.dirname, '../..')
const [folder = 'release'] = process.argv.slice(2)
try {
  const { bytes, files, sha256 } = await buildRelease(root, resolve(root, folder))
  console.log(`${folder}: ${files} files, ${(bytes / 1_000_000).toFixed(1)} MB, sha256 of SHA256SUMS ${sha256}`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

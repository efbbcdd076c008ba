import { join } from 'node:path'
import { buildRelease } from './build-release.ts'

/** `npm run build`: makes the release in the folder `release`. The web app is built before. */
const root = join(import.meta.dirname, '../..')
try {
  const { folder, bytes, files, sha256 } = await buildRelease(root, join(root, 'release'))
  console.log(`${folder}: ${files} files, ${(bytes / 1_000_000).toFixed(1)} MB, sha256 of SHA256SUMS ${sha256}`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

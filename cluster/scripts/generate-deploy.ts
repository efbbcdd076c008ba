import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deployFiles, EXAMPLE } from '../src/deploy-files.ts'

/** Writes deploy/cluster; with --check, fails where a file is out of date. */
const folder = join(import.meta.dirname, '../../deploy/cluster')
const isCheck = process.argv.includes('--check')

for (const [path, text] of deployFiles(EXAMPLE)) {
  const file = join(folder, path)
  if (isCheck) {
    if (readFileSync(file, 'utf8') !== text) {
      console.error(`deploy/cluster/${path} is out of date: run npx node cluster/scripts/generate-deploy.ts`)
      process.exitCode = 1
    }
  } else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

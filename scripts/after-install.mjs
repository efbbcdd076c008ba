import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// npm runs this after each complete installation, with the system's Node of any version.
const root = join(import.meta.dirname, '..')

// The C headers that come with Node 24: 67 MB that only the compilation of native modules needs. Nothing here is compiled.
const platforms = join(root, 'node_modules/node/node_modules')
for (const name of existsSync(platforms) ? readdirSync(platforms) : []) {
  rmSync(join(platforms, name, 'include'), { recursive: true, force: true })
}

// scripts/bootstrap.mjs reads here what is installed.
copyFileSync(join(root, 'package-lock.json'), join(root, 'node_modules/.clearwell-lockfile'))

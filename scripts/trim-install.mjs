import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// Runs after `npm ci`, under whatever Node the system has. It removes the C headers that come with Node 24: 67 MB that
// only the compilation of native modules needs, and nothing here is compiled.
const platforms = join(import.meta.dirname, '../node_modules/node/node_modules')
for (const name of existsSync(platforms) ? readdirSync(platforms) : []) {
  rmSync(join(platforms, name, 'include'), { recursive: true, force: true })
}

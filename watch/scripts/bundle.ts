import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Bundles each program with everything it needs into one file of `dist`. `npm pack` runs it first. */
const folder = join(import.meta.dirname, '..')
const PROGRAMS = { 'clearwell-watch': 'src/main.ts', 'clearwell-canary': 'src/canary/main.ts' }
for (const [name, path] of Object.entries(PROGRAMS)) {
  const bundle = await rolldown({
    cwd: folder,
    input: { [name]: join(folder, path) },
    platform: 'node',
    onLog(level, log) {
      if (level === 'warn') throw new Error(`the bundle: ${log.message}`)
    },
  })
  await bundle.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    codeSplitting: false,
  })
  await bundle.close()
}

import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Bundles the program with everything it needs into `dist/clearwell-watch.js`. `npm pack` runs it first. */
const folder = join(import.meta.dirname, '..')
const bundle = await rolldown({
  cwd: folder,
  input: { 'clearwell-watch': join(folder, 'src/main.ts') },
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

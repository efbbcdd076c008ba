import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'

const require = createRequire(import.meta.url)

/** ASCII, and the other characters of our figures and English sentences. Chinese has the font of the system. */
const CHARACTERS = `${String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))}\u00a0·×–—‘’“”…→−≈≤≥`
/** Kerning, composition, digits of one width, capitals beside figures, and the forms that depend on a neighbour. */
const FEATURES = ['kern', 'ccmp', 'tnum', 'lnum', 'case', 'calt']
/** The weights that the app uses, at the size of text. */
const AXES = { wght: { min: 400, max: 700 }, opsz: 14 }
/** It is fetched after the first paint, beside the app's code. */
const MAX_BYTES = 22_000

/**
 * Writes `inter.woff2`, the part of the font Inter that the app uses, into a folder, unless it is there. Its licence is
 * served at `/licenses/inter.txt`.
 *
 * @throws if it is larger than a first visit should load.
 */
export async function subsetInter(folder: string): Promise<void> {
  const { version } = require('inter-ui/package.json') as { version: string }
  const made = JSON.stringify({ version, CHARACTERS, FEATURES, AXES })
  const [file, stamp] = [join(folder, 'inter.woff2'), join(folder, 'inter.json')]
  if (existsSync(file) && existsSync(stamp) && readFileSync(stamp, 'utf8') === made) return
  const whole = readFileSync(require.resolve('inter-ui/variable/InterVariable.woff2'))
  const font = await subsetFont(whole, CHARACTERS, {
    targetFormat: 'woff2',
    variationAxes: AXES,
    keepFeatures: FEATURES,
  })
  if (font.length > MAX_BYTES) throw new Error(`the subset of Inter has ${font.length} bytes, not ${MAX_BYTES} at most`)
  writeFileSync(file, font)
  writeFileSync(stamp, made)
}

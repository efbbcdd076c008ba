import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** More would be slow to open on a phone, in bytes. */
const MOST_BYTES = 400_000
const folder = import.meta.dirname

/**
 * Makes the exit kit: one page with its script and its style in it, that loads nothing.
 *
 * @throws Error if it is too large.
 */
export async function makeExitKit(): Promise<string> {
  const style = (await readFile(join(folder, 'src/kit.css'), 'utf8')).replaceAll(/\s*\n\s*/g, '')
  const script = (await bundle()).trim()
  const page = pageOf({ style, script })
  const bytes = Buffer.byteLength(page)
  if (bytes > MOST_BYTES) throw new Error(`the exit kit has ${bytes} bytes, and ${MOST_BYTES} are the most`)
  return page
}

/** Allows only this script and this style, and connections to nodes: https everywhere, http on the user's device. */
function policyOf({ style, script }: Parts): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'connect-src https: http://127.0.0.1:* http://localhost:*',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

interface Parts {
  readonly style: string
  readonly script: string
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

function pageOf(parts: Parts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(parts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="dark">
<title>Clearwell exit kit</title>
<style>${parts.style}</style>
</head>
<body>
<main id="kit"></main>
<script type="application/json" id="kit-data"></script>
<script>${parts.script}</script>
</body>
</html>
`
}

async function bundle(): Promise<string> {
  const build = await rolldown({ cwd: folder, input: 'src/main.ts', platform: 'browser' })
  const { output } = await build.generate({ format: 'iife', minify: true })
  await build.close()
  // A closing tag within a text would end the script.
  return output[0].code.replaceAll('</script', '<\\/script').replaceAll(/\r\n?/g, '\n')
}

if (import.meta.main) {
  const target = join(folder, 'dist/clearwell-exit-kit.html')
  await mkdir(join(folder, 'dist'), { recursive: true })
  await writeFile(target, await makeExitKit())
}

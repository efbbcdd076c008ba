import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RouteName, routes } from '@clearwell/api/routes'
import { apiMarkdown } from '../src/platform/http/open-api.ts'
import { streamMarkdown } from '../src/platform/http/stream-reference.ts'

/** Writes docs/reference/api.md from the route table; with `--check` it only tells whether the page is that. */
const file = join(import.meta.dirname, '../../../docs/reference/api.md')
const page = `# API

Made from the route table in \`packages/api\` by \`npm run generate -w apps/server\`: do not edit. A running server shows the same
at \`/api/docs\`, and as OpenAPI at \`/api/openapi.json\`.

Base path \`/api\`. Bodies are \`application/x-www-form-urlencoded\` with nested brackets, or JSON. Every answer is an envelope
\`{code, msg, data}\`; code 1 is success. Amounts are decimal strings, times ISO 8601 UTC.

Outside \`/api\`: \`GET /healthz\` and \`GET /readyz\`; \`GET /icons/lucide.json?icons=a,b\` answers Iconify JSON for at most 64 names in
an address of at most 500 characters.

${apiMarkdown(Object.keys(routes) as RouteName[])}

${streamMarkdown()}
`

if (!process.argv.includes('--check')) writeFileSync(file, page)
else if (readFileSync(file, 'utf8') !== page) {
  process.stderr.write('docs/reference/api.md is not what the route table says: run npm run generate -w apps/server\n')
  process.exitCode = 1
}

import { describeCodes } from './describe-codes.ts'
import { fieldsOf, type JsonSchema, typeOf } from './json-schema.ts'
import type { OpenApiDocument, Operation } from './open-api.ts'

/** Under `/api`, so that the page's content policy needs no exception. */
export const API_PAGE_STYLE_PATH = '/api/docs.css'

export const API_PAGE_STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { margin: 0 auto; max-width: 74rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
nav ul { list-style: none; padding: 0; margin: 0; columns: 18rem; }
nav h3 { margin: 1rem 0 0.25rem; font-size: 1rem; break-after: avoid; }
section { margin-top: 3rem; }
article { border-top: 1px solid var(--line); padding: 1rem 0; }
article h3 { margin: 0; overflow-wrap: anywhere; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 0.25rem 0 1rem; }
caption { text-align: start; font-weight: 600; padding: 0.5rem 0; }
th, td { text-align: start; vertical-align: top; padding: 0.25rem 1rem 0.25rem 0; border-top: 1px solid var(--line); }
th { font-weight: 600; }
td, tbody th { overflow-wrap: anywhere; }
tbody th { font-weight: 400; }
code { font-family: ui-monospace, monospace; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
`

/** The API as a page to read, rendered from its OpenAPI document. It has no script, so the strict content policy allows it. */
export function apiPage(document: OpenApiDocument): string {
  const { info, tags, paths } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const groups = tags.map(({ name }) => ({
    name,
    calls: operations.filter(({ operation }) => operation.tags.includes(name)),
  }))
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(info.title)}</title>
<link rel="stylesheet" href="${API_PAGE_STYLE_PATH}"></head><body>
<a class="skip" href="#main">Skip to the calls</a>
<header><h1>${escapeHtml(info.title)}</h1>${paragraphs(info.description)}
<p>The same as an <a href="/api/openapi.json">OpenAPI document</a>. All paths are under <code>/api</code>.</p></header>
<nav aria-labelledby="contents"><h2 id="contents">Calls</h2>${groups.map(contentsOf).join('')}</nav>
<main id="main">${groups.map(sectionOf).join('')}
<section aria-labelledby="codes"><h2 id="codes">All codes</h2>${codesTable()}</section></main></body></html>`
}

interface Call {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

interface Group {
  readonly name: string
  readonly calls: readonly Call[]
}

function contentsOf({ name, calls }: Group): string {
  const items = calls.map(
    ({ method, path, operation }) =>
      `<li><a href="#${operation.operationId}">${method} <code>${escapeHtml(path)}</code></a></li>`,
  )
  return `<h3>${escapeHtml(name)}</h3><ul>${items.join('')}</ul>`
}

function sectionOf({ name, calls }: Group): string {
  const id = `feature-${escapeHtml(name)}`
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(name)}</h2>${calls.map(articleOf).join('')}</section>`
}

function articleOf({ method, path, operation }: Call): string {
  const { operationId: id, summary, description, parameters, requestBody } = operation
  const payload = requestBody?.content['application/json']?.schema
  return `<article aria-labelledby="${id}"><h3 id="${id}">${method} <code>/api${escapeHtml(path)}</code></h3>
<p>${inline(summary)}</p>${paragraphs(description)}<p>${conditionsOf(operation)}</p>
${payload ? fieldTable('Payload', payload) : ''}${parameterTable(parameters)}${responseTables(operation)}
${table(
  'Refusals',
  ['Code', 'HTTP status', 'Message'],
  operation['x-refusals'].map(({ code, http, msg }) => [`<a href="#codes">${code}</a>`, `${http}`, escapeHtml(msg)]),
)}</article>`
}

function conditionsOf({ operationId, security, parameters, responses }: Operation): string {
  const session = security?.length === 1 ? 'Needs a session.' : 'Works without a session.'
  const key = parameters.some(({ name }) => name === 'Idempotency-Key')
  return [
    operationId === 'stream' ? 'Works without a session, except for <code>account</code>.' : session,
    key ? 'Takes an <code>Idempotency-Key</code>.' : '',
    responses[200]?.content['text/*'] ? 'A success is a file.' : '',
  ]
    .filter(Boolean)
    .join(' ')
}

function parameterTable(parameters: Operation['parameters']): string {
  const rows = parameters.map(({ name, in: where, required, schema }) => [
    `<code>${escapeHtml(name)}</code>`,
    where,
    escapeHtml(typeOf(schema)),
    required ? 'required' : 'optional',
  ])
  return rows.length === 0 ? '' : table('Parameters', ['Name', 'In', 'Type', ''], rows)
}

/** The envelope's data, or for the stream the data of each event. */
function responseTables({ responses }: Operation): string {
  const content = responses[200]?.content ?? {}
  const data = content['application/json']?.schema.properties?.data
  if (data) return fieldTable('Data', data)
  const events = Object.entries(content['text/event-stream']?.schema.properties ?? {})
  return events.map(([name, schema]) => fieldTable(`Event ${name}`, schema)).join('')
}

function fieldTable(caption: string, schema: JsonSchema): string {
  const list = schema.type === 'array' ? schema.items : undefined
  const fields = fieldsOf(list ?? schema)
  const title = list ? `${caption}: a list of` : caption
  if (fields.length === 0)
    return `<p>${escapeHtml(title)}: ${schema.properties ? 'empty' : escapeHtml(typeOf(schema))}.</p>`
  const rows = fields.map(({ path, type, isRequired, description }) => [
    `<code>${escapeHtml(path)}</code>`,
    escapeHtml(type),
    isRequired ? 'always' : 'optional',
    inline(description),
  ])
  return table(title, ['Field', 'Type', 'Present', ''], rows)
}

function codesTable(): string {
  return table(
    'Codes of the envelope',
    ['Code', 'HTTP status', 'Message', 'Data'],
    describeCodes().map(({ code, http, msg, data }) => [`${code}`, `${http}`, escapeHtml(msg), inline(data)]),
  )
}

/** @param rows cells as HTML; the first of a row names it. */
function table(caption: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((name) => (name === '' ? '<td></td>' : `<th scope="col">${name}</th>`)).join('')
  const body = rows.map(
    ([first, ...others]) =>
      `<tr><th scope="row">${first}</th>${others.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
  )
  return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table><caption>${escapeHtml(caption)}</caption><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

function paragraphs(text: string): string {
  return text === ''
    ? ''
    : text
        .split('\n\n')
        .map((paragraph) => `<p>${inline(paragraph)}</p>`)
        .join('')
}

/** Text with `code` in it. */
function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

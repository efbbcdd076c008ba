import { CODES } from '@clearwell/api/codes'
import { STREAM_PATH, streamEvents } from '@clearwell/api/stream'
import * as z from 'zod/mini'

/** What the references say of `GET /api/stream`, which is no call of the route table: it answers events, not an envelope. */

const SUMMARY =
  'Server-sent events: what the polled calls answer, whenever it changes, and what becomes of my balances.'
const CHANNELS = [
  '`channels`: one to ten of `pairs`, `ticker:<symbol>` and `account`, separated by commas. `account` needs a token.',
  '`last_event_id`, or the header `Last-Event-ID`: the id of the last event that was received. With `account`, what happened',
  'since is told first, or `reset` where it is too much. Events of the other channels have no id: their newest value alone counts.',
]
const RULES = [
  'A comment comes at least every 15 s. A slow reader gets the newest values alone; one that lets too many events of its',
  'account wait is disconnected. A server that ends sends `retry` and closes. A token that was revoked ends the stream within',
  'seconds with `signed_out`.',
]
const REFUSALS = ['sign_in_again', 'invalid_input', 'too_many_requests', 'not_ready'] as const

const refusals = REFUSALS.map((name) => `${CODES[name].code} ${CODES[name].msg.en}`)

export const streamOperation = {
  [STREAM_PATH]: {
    get: {
      operationId: 'stream',
      summary: SUMMARY,
      description: refusals.join('\n\n'),
      parameters: [
        { name: 'channels', in: 'query', required: true, schema: { type: 'string' } },
        { name: 'last_event_id', in: 'query', required: false, schema: { type: 'string', pattern: '^\\d{1,18}$' } },
      ],
      security: [{}, { token: [] }],
      responses: {
        200: {
          description: 'Events; a refusal is an envelope',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
      },
    },
  },
}

export function streamMarkdown(): string {
  const events = Object.entries(streamEvents).flatMap(([name, schema]) => [
    `Event \`${name}\`:`,
    '',
    ['```json', JSON.stringify(schemaOf(schema), null, 2), '```'].join('\n'),
    '',
  ])
  return [
    `## GET /api${STREAM_PATH}`,
    '',
    `${SUMMARY} (works without a token, but for \`account\`)`,
    '',
    ...CHANNELS,
    '',
    ...RULES,
    '',
    ...events,
    `Refusals, before the first event: ${refusals.join('; ')}.`,
  ].join('\n')
}

/** The same as HTML: nothing of it comes from outside. */
export function streamSection(): string {
  const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const events = Object.entries(streamEvents).map(
    ([name, schema]) =>
      `<h3>Event ${escapeHtml(name)}</h3><pre>${escapeHtml(JSON.stringify(schemaOf(schema), null, 2))}</pre>`,
  )
  return `<section id="stream"><h2>GET /api${STREAM_PATH}</h2><p>${SUMMARY}</p>
<p>${escapeHtml(CHANNELS.join(' ').replaceAll('`', ''))}</p><p>${escapeHtml(RULES.join(' ').replaceAll('`', ''))}</p>
${events.join('\n')}<h3>Refusals</h3><ul>${refusals.map((each) => `<li>${escapeHtml(each)}</li>`).join('')}</ul></section>`
}

function schemaOf(schema: z.core.$ZodType) {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Record<
    string,
    unknown
  >
  return json
}

import type { RefusalName } from '@clearwell/api/codes'
import { STREAM_PATH, streamEvents } from '@clearwell/api/stream'
import { jsonSchema } from './json-schema.ts'

const PARAGRAPHS = [
  '`channels` names one to ten of `pairs`, `ticker:<symbol>` and `account`, separated by commas. `account` needs a token.',
  'Send the id of the last event that you received as `last_event_id`, or in the header `Last-Event-ID`. With `account`, the ' +
    'stream first sends the entries since then, or `reset` if there are too many. Events of other channels have no id: only ' +
    'their newest value counts.',
  'The server sends a comment at least every 15 s. A slow reader receives the newest values only, and is disconnected if too ' +
    'many account events wait for it. A server that shuts down sends `retry` and closes. A revoked token ends the stream ' +
    'within seconds with `signed_out`.',
]

/** Refusals before the first event. */
export const STREAM_REFUSALS: readonly RefusalName[] = [
  'sign_in_again',
  'invalid_input',
  'too_many_requests',
  'not_ready',
]

/**
 * `GET /api/stream` in the OpenAPI document. It is no call of the route table: its response is a stream of events, whose
 * schemas stand under their names.
 */
export function streamOperation(refusals: object) {
  const events = Object.entries(streamEvents).map(([name, schema]) => [name, jsonSchema(schema, 'output')])
  return {
    [STREAM_PATH]: {
      get: {
        operationId: 'stream',
        tags: ['stream'],
        summary:
          'Server-sent events: the responses of polled calls whenever they change, and the changes of my balances.',
        description: PARAGRAPHS.join('\n\n'),
        parameters: [
          { name: 'channels', in: 'query', required: true, schema: { type: 'string' } },
          { name: 'last_event_id', in: 'query', required: false, schema: { type: 'string', pattern: '^\\d{1,18}$' } },
        ],
        security: [{}, { token: [] }],
        responses: {
          200: {
            description: 'Events',
            content: {
              'text/event-stream': {
                schema: {
                  type: 'object',
                  description: 'The data of each event',
                  properties: Object.fromEntries(events),
                },
              },
            },
          },
        },
        ...refusals,
      },
    },
  }
}

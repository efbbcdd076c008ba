import type { ApiCall } from './api-calls.ts'
import type { Random } from './random-choice.ts'

/** A request whose parts a fault changes before it is written as bytes. */
export interface Draft {
  readonly call: ApiCall
  readonly random: Random
  readonly fields: Record<string, unknown>
  as: 'form' | 'json' | 'query'
  body?: string | Buffer
  contentType?: string
  method?: string
  path?: string
  headers: [string, string][]
  change?: (bytes: Buffer) => Buffer
}

/** Writes a request as bytes. */
export function writeRequest(draft: Draft): Buffer {
  const { call, fields, as, headers, change = (bytes: Buffer) => bytes } = draft
  const isQuery = as === 'query'
  const text = as === 'json' ? JSON.stringify(fields) : formOf(fields)
  const body = draft.body ?? (isQuery ? '' : text)
  const type = draft.contentType ?? (as === 'json' ? 'application/json' : 'application/x-www-form-urlencoded')
  const path = draft.path ?? `/api${call.path}${isQuery && text !== '' ? `?${text.slice(0, 12_000)}` : ''}`
  const bytes = Buffer.from(body)
  const lines = [
    `${draft.method ?? call.method} ${path} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Host: localhost',
    'Connection: close',
    ...(isQuery && bytes.length === 0 ? [] : [`Content-Type: ${type}`, `Content-Length: ${bytes.length}`]),
  ]
  return change(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]))
}

/** Writes fields as a form, with nested brackets. */
export function formOf(fields: object): string {
  const pairs = (name: string, value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [`${encode(name)}=${encode(String(value ?? ''))}`]
    return Object.keys(value).flatMap((key) => pairs(`${name}[${key}]`, (value as Record<string, unknown>)[key]))
  }
  return Object.keys(fields)
    .flatMap((key) => pairs(key, (fields as Record<string, unknown>)[key]))
    .join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

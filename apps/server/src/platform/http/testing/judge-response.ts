import { CODES } from '@clearwell/api/codes'
import * as z from 'zod/mini'
import type { MalformedRequest } from './malformed-requests.ts'
import type { RawResponse } from './send-bytes.ts'

const ENVELOPE = z.strictObject({ code: z.int(), msg: z.string().check(z.minLength(1)), data: z.unknown() })
/** Statuses that say more of a request that the server could not read than that of its code. */
const UNREAD = [408, 413, 431]

/** Says what is wrong with a response to a malformed request, or `undefined` where nothing is. */
export function judgeResponse(request: MalformedRequest, response: RawResponse | undefined): string | undefined {
  if (response === undefined) return request.isCut ? undefined : 'no response'
  const { status, headers, body } = response
  if (!/^[0-9a-f-]{36}$/.test(headers.get('x-trace-id') ?? '')) return `status ${status} without a trace id`
  if (headers.has('content-disposition')) return judgeFile(request, status)
  // Outside of the API, a person reads the response.
  if (status === 404 && !/^\S+ \/api\//.test(request.bytes.toString('latin1', 0, 100))) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return `status ${status} without an envelope: ${body.slice(0, 200)}`
  }
  const envelope = z.safeParse(ENVELOPE, parsed)
  if (!envelope.success) return `status ${status} with another shape: ${body.slice(0, 200)}`
  const { code, data } = envelope.data
  return judgeEnvelope(request, { status, code, data })
}

function judgeFile({ mustRefuse }: MalformedRequest, status: number): string | undefined {
  if (mustRefuse) return 'a file instead of a refusal'
  return status === 200 ? undefined : `a file with status ${status}`
}

function judgeEnvelope(
  request: MalformedRequest,
  { status, code, data }: { readonly status: number; readonly code: number; readonly data: unknown },
): string | undefined {
  const said = `status ${status}, code ${code} ${JSON.stringify(data)?.slice(0, 200)}`
  const known = Object.values(CODES).find((each) => each.code === code)
  if (known === undefined) return `a code that does not exist: ${said}`
  if (status >= 500 && code !== CODES.not_ready.code) return `a fault of the server: ${said}`
  if (request.mustRefuse && code === CODES.ok.code) return `done instead of refused: ${said}`
  if (request.status !== undefined && status !== request.status) return `not status ${request.status}: ${said}`
  const isInvalid = code === CODES.invalid_input.code
  if (status !== known.http && !(isInvalid && UNREAD.includes(status))) return `another status than the code's: ${said}`
  if (!z.safeParse(known.data, data).success) return `data that the code does not have: ${said}`
  if (isInvalid && !saysWhy((data as { fields: Record<string, string> }).fields))
    return `a refusal without why: ${said}`
  // An address that names no call, and one that cannot be read, meet the codes of every path.
  const general: number[] = [CODES.invalid_input.code, CODES.not_found.code]
  return request.call.codes.has(code) || general.includes(code) ? undefined : `a code that the document lacks: ${said}`
}

function saysWhy(fields: Record<string, string>): boolean {
  const reasons = Object.values(fields)
  return reasons.length > 0 && reasons.every((reason) => reason !== '' && reason !== 'Invalid input')
}

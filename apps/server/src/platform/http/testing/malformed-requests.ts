import type { ApiCall } from './api-calls.ts'
import { rightValue } from './field-values.ts'
import { pick, type Random } from './random-choice.ts'
import { type Draft, writeRequest } from './request-draft.ts'
import { IN_BYTES, IN_FIELDS } from './request-faults.ts'

export interface MalformedRequest {
  readonly call: ApiCall
  /** Names the fault. */
  readonly fault: string
  readonly bytes: Buffer
  /** The sender ends its side in the middle. */
  readonly isCut: boolean
  /** No server may do what such a request asks. */
  readonly mustRefuse: boolean
  /** The HTTP status, where one alone is right. */
  readonly status?: number
}

/** Calls that move the time or the money of everyone, which no request may do by chance. */
const LOCAL_CONTROLS = /^\/Local\/(faucet|advance|seed)$/

/** The next request, to any call. */
export function malformedRequest(
  calls: readonly ApiCall[],
  token: (call: ApiCall) => string,
  random: Random,
): MalformedRequest {
  const call = pick(calls, random)
  const isControl = LOCAL_CONTROLS.test(call.path)
  const faults = Object.entries(isControl || random(2) === 0 ? IN_BYTES : IN_FIELDS)
  const [fault, apply] = pick(faults, random)
  const fields = Object.fromEntries(
    Object.entries(call.payload.properties ?? {})
      .filter(([name]) => call.payload.required?.includes(name) || random(3) === 0)
      .map(([name, schema]) => [name, isControl ? 'none' : rightValue(name, schema, random)]),
  )
  const as = call.method === 'GET' ? 'query' : pick(['form', 'json'] as const, random)
  const headers: [string, string][] = [['Accept-Language', pick(['en', 'zh-HK'], random)]]
  if (random(4) > 0) headers.push(['XX-Token', token(call)])
  if (call.takesKey && random(3) === 0) headers.push(['Idempotency-Key', `key-${random(1_000_000)}-of-requests`])
  const draft: Draft = { call, random, fields, as, headers }
  const verdict = apply(draft)
  return { call, fault, isCut: false, mustRefuse: false, ...verdict, bytes: writeRequest(draft) }
}

import type { Envelope } from '@clearwell/api/codes'
import type { PayloadInput, ResponseOf, routes } from '@clearwell/api/routes'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { type CallName, calls } from '../generated/calls.ts'
import { m } from '../generated/messages.ts'
import { API_BASE } from './api-base.ts'
import { ApiError, NoResponseError } from './api-error.ts'
import { type FormObject, formBody, queryText } from './form-body.ts'
import { forgetSession, requestSignIn, sessionStore } from './session-store.ts'

const TIMEOUT_MS = 15_000
const OK = 1
const SIGN_IN_AGAIN = 10001

/** Sends a request; `live.ts` replaces it with a sender of conditional requests. */
export const transport = {
  send: (url: string, init: Omit<RequestInit, 'headers'> & { headers: Record<string, string> }) => fetch(url, init),
}

/** Calls that change money, a position or an alert, and carry an idempotency key. */
export type CommandName = NamesWhere<{ idempotent: true }>

export interface CallOptions {
  /** Required for a command: one per confirmation, the same on every retry. See `useCommand`. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/**
 * Makes a call of the table in `@clearwell/api/routes`.
 *
 * A code 10001 signs out; a command then waits for a new sign-in; either way the same request, with the same
 * idempotency key, is sent once more. Unless another account signed in: a confirmation belongs to its account.
 *
 * @param payload form data is sent as it is, everything else in the product's form encoding.
 * @throws ApiError when the server refuses.
 * @throws NoResponseError when no envelope came back. The outcome is then unknown.
 */
export async function call<Name extends CallName>(
  name: Name,
  payload: PayloadInput<Name> | FormData,
  options: CallOptions = {},
): Promise<ResponseOf<Name>> {
  const response = await exchange(name, payload as FormObject | FormData, options)
  if (response instanceof Response) throw new NoResponseError(`${name} returned a file: see download`)
  return dataOf(response) as ResponseOf<Name>
}

/**
 * `call` up to the response: an envelope with any code, or a file download as it is. A call that is not public signs in
 * first (specification §6).
 *
 * @throws ApiError when the user closes the sign-in.
 */
export async function exchange(
  name: CallName,
  payload: FormObject | FormData,
  options: CallOptions = {},
): Promise<Envelope | Response> {
  // Without a pause where there is a session: it is the one of this moment.
  if (!hasSession(name)) await requireSession(name)
  const { token } = sessionStore.get()
  const address = signedInAddress()
  const response = await send(name, payload, options)
  if (response instanceof Response || response.code !== SIGN_IN_AGAIN) return response
  // Another call may have signed in again: only the rejected token is removed.
  if (sessionStore.get().token === token) forgetSession()
  if (calls[name].isIdempotent) {
    await requestSignIn()
    const now = signedInAddress()
    if (now !== undefined && now !== address) return response
  }
  return send(name, payload, options)
}

/**
 * Signs in first where a call needs it and there is no session.
 *
 * @throws ApiError when the user closes the sign-in.
 */
export async function requireSession(name: CallName): Promise<void> {
  if (!hasSession(name) && !(await requestSignIn())) throw new ApiError(SIGN_IN_AGAIN, m.session_connect_first(), null)
}

function hasSession(name: CallName): boolean {
  return calls[name].isOpen === true || sessionStore.get().token !== undefined
}

/** @throws ApiError when the envelope carries a refusal. */
export function dataOf({ code, msg, data }: Envelope): unknown {
  if (code !== OK) throw new ApiError(code, msg, data)
  return data
}

/** An idempotency key: 32 hex digits at random. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

async function send(
  name: CallName,
  payload: FormObject | FormData,
  options: CallOptions,
): Promise<Envelope | Response> {
  const { path, isGet, isIdempotent } = calls[name]
  if (isIdempotent && !options.idempotencyKey) throw new TypeError(`call: ${name} is a command and needs a key`)
  const timeout = new AbortController()
  // Until the response begins. A file may then take any time.
  const timer = setTimeout(() => timeout.abort(new DOMException('no answer in time', 'TimeoutError')), TIMEOUT_MS)
  const headers: Record<string, string> = { 'XX-Device-Type': 'web', 'Accept-Language': currentLocale() }
  const { token } = sessionStore.get()
  if (token) headers['XX-Token'] = token
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey
  const inQuery = isGet && !(payload instanceof FormData)
  try {
    const response = await transport.send(API_BASE + path + (inQuery ? queryText(payload) : ''), {
      method: isGet ? 'GET' : 'POST',
      headers,
      body: inQuery ? null : payload instanceof FormData ? payload : formBody(payload),
      signal: options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal,
    })
    if (response.status === 200 && response.headers.has('content-disposition')) return response
    const body = await bodyOf(response)
    if (isEnvelope(body)) return body
    throw new NoResponseError(`no envelope from ${path}, status ${response.status}`, { body, status: response.status })
  } catch (error) {
    if (options.signal?.aborted || error instanceof NoResponseError) throw error
    throw new NoResponseError(`no answer from ${path}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isEnvelope(body: unknown): body is Envelope {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'number'
}

function signedInAddress(): string | undefined {
  return sessionStore.get().user?.address.toLowerCase()
}

type NamesWhere<Property> = {
  [Name in CallName]: (typeof routes)[Name] extends Property ? Name : never
}[CallName]

import type { Envelope } from '@clearwell/api/codes'
import type { Answer, PayloadInput, RouteName } from '@clearwell/api/routes'
import { accountStore, forgetLogin } from '../account/account-store.ts'
import { requestSignIn } from '../account/sign-in-port.ts'
import { calls } from '../generated/calls.ts'
import { currentLocale } from '../ui/locale.ts'
import { ApiError, NoAnswerError } from './api-error.ts'
import { type FormObject, formBody, queryText } from './form-body.ts'

const BASE_PATH = '/api'
const TIMEOUT_MS = 15_000
const OK = 1
const SIGN_IN_AGAIN = 10001

/** Calls that change money or a position, and so carry an idempotency key. */
export type MoneyRouteName = NamesWhere<{ idempotent: true }>

export interface CallOptions {
  /** Required for a money call: made once per confirmation, the same on every retry. See `useMoneyCall`. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/**
 * Makes a call of the table in `@clearwell/api/routes`.
 *
 * A code 10001 signs out; a money call then waits for a new sign-in; either way the same request, with the same
 * idempotency key, is sent once more.
 *
 * @throws ApiError when the server refuses.
 * @throws NoAnswerError when no envelope came back. The outcome is then unknown.
 */
export async function call<Name extends RouteName>(
  name: Name,
  payload: PayloadInput<Name>,
  options: CallOptions = {},
): Promise<Answer<Name>> {
  const { token } = accountStore.get()
  const envelope = await send(name, payload as FormObject, options)
  if (envelope.code !== SIGN_IN_AGAIN) return answerOf<Name>(envelope)
  // Another call may have signed in again meanwhile: only the token that was refused is thrown away.
  if (accountStore.get().token === token) forgetLogin()
  if (calls[name].idempotent) await requestSignIn()
  return answerOf<Name>(await send(name, payload as FormObject, options))
}

/** An idempotency key: 32 hex digits at random. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

async function send(name: RouteName, payload: FormObject, options: CallOptions): Promise<Envelope> {
  const { method, path, idempotent } = calls[name]
  if (idempotent && !options.idempotencyKey) throw new TypeError(`call: ${name} moves money and needs a key`)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const headers: Record<string, string> = { 'XX-Device-Type': 'web', 'Accept-Language': currentLocale() }
  const { token } = accountStore.get()
  if (token) headers['XX-Token'] = token
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey
  try {
    const response = await fetch(BASE_PATH + path + (method === 'GET' ? queryText(payload) : ''), {
      method,
      headers,
      body: method === 'GET' ? null : formBody(payload),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    })
    return envelopeOf(await response.json())
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new NoAnswerError(`no answer from ${path}`, { cause: error })
  }
}

function envelopeOf(body: unknown): Envelope {
  if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'number')
    return body as Envelope
  throw new TypeError('the answer is not an envelope')
}

function answerOf<Name extends RouteName>({ code, msg, data }: Envelope): Answer<Name> {
  if (code !== OK) throw new ApiError(code, msg, data)
  return data as Answer<Name>
}

type NamesWhere<Property> = {
  [Name in RouteName]: (typeof calls)[Name] extends Property ? Name : never
}[RouteName]

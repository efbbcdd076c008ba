import { CODES, type RefusalName } from '@clearwell/api/codes'
import { type PayloadInput, type ResponseOf, type RouteName, routes } from '@clearwell/api/routes'
import type { LocalPlatform } from '@clearwell/server/src/platform/platform.ts'
import type { PrivateKeyAccount } from 'viem/accounts'

/** How simulated accounts reach the API: through the calls that users make. */
export interface LocalApi {
  readonly app: LocalPlatform['app']
}

/** A call that returned another code than success. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused'
  readonly code: number
  constructor(call: string, { code, msg, data }: { code: number; msg: string; data: unknown }) {
    super(`${call} was refused: ${code} ${msg} ${JSON.stringify(data)}`)
    this.code = code
  }
}

/**
 * @param key the idempotency key, for calls that have one.
 * @throws CallRefused
 */
export async function call<Name extends RouteName>(
  { app }: LocalApi,
  name: Name,
  payload: PayloadInput<Name>,
  token?: string,
  key?: string,
): Promise<ResponseOf<Name>> {
  const { method, path } = routes[name]
  const response = await app().inject({
    method,
    url: `/api${path}`,
    headers: {
      'content-type': 'application/json',
      ...(token ? { 'xx-token': token } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(method === 'POST' ? { payload: JSON.stringify(payload) } : {}),
  })
  const envelope = response.json()
  if (envelope.code !== 1) throw new CallRefused(name, envelope)
  return envelope.data
}

/**
 * Returns the response of a call; `undefined` if it was refused for one of these ordinary reasons.
 *
 * @throws CallRefused for any other reason.
 */
export async function unlessRefused<Response>(
  response: Promise<Response>,
  reasons: readonly RefusalName[],
): Promise<Response | undefined> {
  return response.catch((error: unknown) => {
    if (error instanceof CallRefused && reasons.some((reason) => CODES[reason].code === error.code)) return undefined
    throw error
  })
}

/** Signs in with a wallet's key. `pid` is an inviter's code. */
export async function signIn(api: LocalApi, account: PrivateKeyAccount, pid?: string): Promise<ResponseOf<'login'>> {
  const { address } = account
  const { nonceStr } = await call(api, 'getNonce', { address })
  const signature = await account.signMessage({ message: nonceStr })
  return call(api, 'login', { address, signature, pid, device_type: 'web' })
}

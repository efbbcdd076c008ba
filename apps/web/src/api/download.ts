import type { PayloadInput } from '@clearwell/api/routes'
import type { CallName } from '../generated/calls.ts'
import { NoResponseError } from './api-error.ts'
import { dataOf, exchange } from './client.ts'
import type { FormObject } from './form-body.ts'

export interface Download {
  /** As it came, its body unread. */
  readonly response: Response
  /** The server's name for the file, without a path; `undefined` if it gives none. */
  readonly fileName: string | undefined
}

/**
 * Makes a call of the table that returns a file.
 *
 * @throws ApiError when the server refuses.
 * @throws NoResponseError when neither a file nor a refusal came back.
 */
export async function download<Name extends CallName>(
  name: Name,
  payload: PayloadInput<Name>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Download> {
  const response = await exchange(name, payload as FormObject, options)
  if (!(response instanceof Response)) {
    throw new NoResponseError(`${name} returned no file`, { body: dataOf(response) })
  }
  return { response, fileName: fileNameOf(response.headers.get('content-disposition') ?? '') }
}

function fileNameOf(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1]
  const plain = /filename="([^"]+)"/i.exec(disposition)?.[1] ?? /filename=([^;\s"]+)/i.exec(disposition)?.[1]
  const name = (encoded === undefined ? undefined : decoded(encoded)) ?? plain
  return name?.split(/[\\/]/).at(-1) || undefined
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

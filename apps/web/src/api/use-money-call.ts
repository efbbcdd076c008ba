import type { Answer, PayloadInput } from '@clearwell/api/routes'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError } from './api-error.ts'
import { call, type MoneyRouteName, newIdempotencyKey } from './client.ts'
import { refreshPersonalData } from './query-client.ts'

/**
 * A call that moves money. `mutate(payload)` is one confirmation of the user.
 *
 * The idempotency key belongs to the confirmation: it stays the same while the outcome is unknown (retries by the
 * client, the retry after a new sign-in, the user pressing again with the same payload) and is dropped with the first
 * definite answer, so a new confirmation is a new command. A failure is shown in a dialog; say `silent` to show it in
 * place.
 */
export function useMoneyCall<Name extends MoneyRouteName>(
  name: Name,
  { silent = false }: { silent?: boolean } = {},
): UseMutationResult<Answer<Name>, Error, PayloadInput<Name>> {
  const open = useRef<{ key: string; payload: string } | undefined>(undefined)
  return useMutation({
    mutationKey: [name],
    meta: { silent },
    mutationFn: async (payload: PayloadInput<Name>) => {
      const text = JSON.stringify(payload)
      if (open.current?.payload !== text) open.current = { key: newIdempotencyKey(), payload: text }
      try {
        const answer = await call(name, payload, { idempotencyKey: open.current.key })
        open.current = undefined
        return answer
      } catch (error) {
        if (isDefinite(error)) open.current = undefined
        throw error
      }
    },
    onSettled: refreshPersonalData,
  })
}

function isDefinite(error: unknown): boolean {
  return error instanceof ApiError && !error.isTransient && error.codeName !== 'sign_in_again'
}

import type { Answer, PayloadInput } from '@clearwell/api/routes'
import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { blockReloadWhile } from '../browser/page-reload.ts'
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
  const confirmation = useRef<Confirmation>({ open: undefined })
  return useMutation(moneyMutation(name, { silent, confirmation: confirmation.current }))
}

/** The confirmation whose outcome is not known yet, with the key that belongs to it. */
export interface Confirmation {
  open: { readonly key: string; readonly payload: string } | undefined
}

/** What `useMoneyCall` does, apart from being a hook. */
export function moneyMutation<Name extends MoneyRouteName>(
  name: Name,
  { silent, confirmation }: { silent: boolean; confirmation: Confirmation },
): UseMutationOptions<Answer<Name>, Error, PayloadInput<Name>, { release: () => void }> {
  return {
    mutationKey: [name],
    meta: { silent },
    mutationFn: async (payload) => {
      const text = JSON.stringify(payload)
      if (confirmation.open?.payload !== text) confirmation.open = { key: newIdempotencyKey(), payload: text }
      try {
        const answer = await call(name, payload, { idempotencyKey: confirmation.open.key })
        confirmation.open = undefined
        return answer
      } catch (error) {
        if (isDefinite(error)) confirmation.open = undefined
        throw error
      }
    },
    // Held through the retries and the pauses between them: the key of an unknown outcome lives in this page alone.
    onMutate: () => {
      let release = () => {}
      const settled = new Promise<void>((resolve) => {
        release = resolve
      })
      void blockReloadWhile(settled)
      return { release }
    },
    onSettled: (_answer, _error, _payload, held) => {
      held?.release()
      return refreshPersonalData()
    },
  }
}

function isDefinite(error: unknown): boolean {
  return error instanceof ApiError && !error.isTransient && error.codeName !== 'sign_in_again'
}

import type { PayloadInput, ResponseOf } from '@clearwell/api/routes'
import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { blockReloadWhile } from '../browser/page-reload.ts'
import { isFinalRefusal } from './api-error.ts'
import { type CommandName, call, newIdempotencyKey } from './client.ts'
import { refreshPersonalData } from './query-client.ts'
import { sessionStore } from './session-store.ts'

/**
 * An idempotent command, such as a transfer. `mutate(payload)` is one confirmation of the user.
 *
 * A command with an unknown outcome keeps its idempotency key: the client's retries, the retry after a new sign-in, and
 * the user who closes the sheet and confirms the same payload again all send that key, so the server does it once. The
 * first definite response drops the key. A failure shows in a dialog. With `silent` only the message of a rejection does,
 * and you show a missing response in place. You may explain a rejection in place, too.
 *
 * @example
 * const sell = useCommand('sell', { silent: true })
 * sell.mutate({ asset: 'USDT', amount: '12.5' }, { onSuccess: (order) => show(order) })
 */
export function useCommand<Name extends CommandName>(
  name: Name,
  { silent = false }: { silent?: boolean } = {},
): UseMutationResult<ResponseOf<Name>, Error, PayloadInput<Name>> {
  return useMutation(commandMutation(name, { silent }))
}

/** The mutation of a command, for `useMutation` with options of the caller's own. */
export function commandMutation<Name extends CommandName>(
  name: Name,
  { silent }: { silent: boolean },
): UseMutationOptions<ResponseOf<Name>, Error, PayloadInput<Name>, { unblock: () => void }> {
  return {
    mutationKey: [name],
    meta: { silent },
    mutationFn: async (payload) => {
      const command = commandId(name, payload)
      const idempotencyKey = openKeys.get(command) ?? newIdempotencyKey()
      openKeys.set(command, idempotencyKey)
      try {
        const response = await call(name, payload, { idempotencyKey })
        openKeys.delete(command)
        return response
      } catch (error) {
        if (isFinalRefusal(error)) openKeys.delete(command)
        throw error
      }
    },
    // Through the retries and the pauses between them: a reload would lose the key.
    onMutate: () => {
      let unblock = () => {}
      const settled = new Promise<void>((resolve) => {
        unblock = resolve
      })
      void blockReloadWhile(settled)
      return { unblock }
    },
    onSettled: (_response, _error, _payload, reload) => {
      reload?.unblock()
      return refreshPersonalData()
    },
  }
}

/** Sends a command under a key that the caller has stored, until its outcome is known. */
export function setCommandKey<Name extends CommandName>(name: Name, payload: PayloadInput<Name>, key: string): void {
  openKeys.set(commandId(name, payload), key)
}

/** The keys of commands without a known outcome. Not in a component: a sheet that is closed would lose them. */
const openKeys = new Map<string, string>()

/** One per account, so that no account sends the key of another. */
function commandId(name: CommandName, payload: object): string {
  return `${sessionStore.get().user?.address.toLowerCase() ?? ''} ${name} ${JSON.stringify(payload)}`
}

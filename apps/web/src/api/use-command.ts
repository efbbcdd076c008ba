import type { LookedUpCommand, PayloadInput, ResponseOf } from '@clearwell/api/routes'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { blockReloadWhile } from '../browser/page-reload.ts'
import { calls } from '../generated/calls.ts'
import { ApiError, isFinalRefusal, UnknownOutcomeError } from './api-error.ts'
import { type CommandName, call, newIdempotencyKey, requireSession } from './client.ts'
import type { CommandFacts, FactsOf } from './command-facts.ts'
import { takeForm } from './kept-forms.ts'
import { askForOutcome, lostSheetWantedStore } from './lost-command.ts'
import { queryClient, refreshPersonalData, retry } from './query-client.ts'
import { markSending, ownSentCommands, type SentCommand, storeCommand } from './sent-commands.ts'

/** One confirmation of the user: the same key on every attempt. */
export interface Confirmation<Name extends CommandName> {
  readonly key: string
  readonly payload: PayloadInput<Name>
  readonly facts: FactsOf<Name>
  /** Returns whether the screen that asked is still there to show the outcome. */
  readonly isShown: () => boolean
  /** The attempts so far. */
  attempts: number
  /** One of them may have been carried out, although its response did not say so. */
  isInDoubt: boolean
}

interface Callbacks<Name extends CommandName> {
  readonly onSuccess?: (response: ResponseOf<Name>) => void
  readonly onError?: (error: Error) => void
  readonly onSettled?: () => void
}

type MutateArguments<Name extends CommandName> = Name extends keyof CommandFacts
  ? [payload: PayloadInput<Name>, options: Callbacks<Name> & { readonly facts: CommandFacts[Name] }]
  : [payload: PayloadInput<Name>, options?: Callbacks<Name>]

/**
 * An idempotent command, such as a transfer. `mutate(payload)` is one confirmation of the user. `facts` are what its words need
 * beside the payload. The callbacks run only while the component is mounted.
 *
 * A command that changes something of value is stored on the device before it is sent. Where no attempt gets a response, the
 * user sees the sheet of lost commands (`askForOutcome`), and the command goes on as if the outcome found there had been its
 * response. It stays stored until its outcome was shown, here or in the sheet, also after a reload or in another tab.
 *
 * A failure shows in a dialog. With `silent` only the message of a rejection does, and you show a missing response in place. You
 * may explain a rejection in place, too.
 *
 * `form` names the kept form (`useKeptForm`) that led to the command. It ends here, unless nothing was carried out.
 *
 * @example
 * const sell = useCommand('sell', { silent: true })
 * sell.mutate({ asset: 'USDT', amount: '12.5' }, { onSuccess: (order) => show(order) })
 */
export function useCommand<Name extends CommandName>(
  name: Name,
  { silent = false, form }: { silent?: boolean; form?: string } = {},
) {
  const mutation = useMutation(commandMutation(name, { silent, form }))
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    lostSheetWantedStore.set(true)
    return () => {
      isMounted.current = false
    }
  }, [])
  const confirmationOf = (payload: PayloadInput<Name>, options: object) => {
    const { facts } = options as { readonly facts: FactsOf<Name> }
    return confirm({ name, payload, facts, isShown: () => isMounted.current })
  }
  const { data, error, isPending, isSuccess, isError, isIdle, failureCount, reset } = mutation
  return {
    data,
    error,
    isPending,
    isSuccess,
    isError,
    isIdle,
    failureCount,
    reset,
    mutate(...[payload, options = {}]: MutateArguments<Name>): void {
      const { onSuccess, onError, onSettled } = options as Callbacks<Name>
      mutation.mutate(confirmationOf(payload as PayloadInput<Name>, options), {
        onSuccess: (response) => onSuccess?.(response),
        onError: (failure) => onError?.(failure),
        onSettled: () => onSettled?.(),
      })
    },
    /** For a caller that may be unmounted before the response. */
    mutateAsync(...[payload, options = {}]: MutateArguments<Name>): Promise<ResponseOf<Name>> {
      return mutation.mutateAsync(confirmationOf(payload as PayloadInput<Name>, options))
    },
  }
}

/** From the first attempt of a command to its end. */
interface SendingContext {
  readonly settle: () => void
  readonly keepAgain: (() => void) | undefined
}

/** The mutation of a command, for `useMutation`. */
export function commandMutation<Name extends CommandName>(
  name: Name,
  { silent, form }: { silent: boolean; form?: string | undefined },
): UseMutationOptions<ResponseOf<Name>, Error, Confirmation<Name>, SendingContext> {
  return {
    mutationKey: [name],
    meta: { silent },
    mutationFn: (confirmation) => attempt(name, confirmation),
    // Through the retries and the pauses between them: a reload would end them.
    onMutate: ({ key }) => {
      // Here, and not where it was confirmed: that screen may be left before the response.
      const keepAgain = form === undefined ? undefined : takeForm(form)
      const { promise, resolve: settle } = Promise.withResolvers<void>()
      void blockReloadWhile(promise)
      markSending(key, promise)
      return { settle, keepAgain }
    },
    onSettled: (_response, error, _confirmation, context) => {
      if (error && !(error instanceof UnknownOutcomeError)) context?.keepAgain?.()
      context?.settle()
      return refreshPersonalData()
    },
  }
}

/** A new confirmation. A stored command with the same payload, whose outcome is not known, is the same one: it keeps its key. */
export function confirm<Name extends CommandName>({
  name,
  payload,
  facts,
  isShown,
}: Pick<Confirmation<Name>, 'payload' | 'facts' | 'isShown'> & { readonly name: Name }): Confirmation<Name> {
  const text = JSON.stringify(payload)
  const open = ownSentCommands()
    .all()
    .find((sent) => sent.name === name && JSON.stringify(sent.payload) === text && !isDone(sent))
  return { key: open?.key ?? newIdempotencyKey(), payload, facts, isShown, attempts: 0, isInDoubt: open !== undefined }
}

/** Sends a confirmed command once. Its last attempt without a response hands over to the sheet of lost commands. */
async function attempt<Name extends CommandName>(
  name: Name,
  confirmation: Confirmation<Name>,
): Promise<ResponseOf<Name>> {
  const { key, payload, facts, isShown } = confirmation
  confirmation.attempts += 1
  // The stored command belongs to the account that signs in for it.
  await requireSession(name)
  const sent = calls[name].isLookedUp
    ? storeCommand({ key, name, payload, facts } as unknown as SentCommand)
    : undefined
  const forget = () => ownSentCommands().remove(key)
  try {
    const response = await call(name, payload, { idempotencyKey: key })
    if (isShown()) forget()
    return response
  } catch (error) {
    confirmation.isInDoubt ||= isUnknown(error)
    const isLast = !retry(confirmation.attempts - 1, error as Error)
    if (isFinalRefusal(error) || (isLast && !confirmation.isInDoubt)) forget()
    if (isFinalRefusal(error) || !isLast || !confirmation.isInDoubt || !sent) throw error
    if (!isShown()) throw new UnknownOutcomeError()
    return (await askForOutcome({ sent, isShown })) as ResponseOf<Name>
  }
}

/** Returns whether an attempt that failed like this may have been carried out. */
function isUnknown(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code >= 50_000
}

/** Returns whether a lookup has found the outcome of a stored command. */
function isDone({ key }: SentCommand<LookedUpCommand>): boolean {
  const seen = queryClient.getQueryData<{ found: ResponseOf<'commandOutcome'> }>(outcomeKey(key))
  return seen?.found.state === 'done'
}

/** Where the outcome of a command is cached. */
export function outcomeKey(key: string) {
  return ['commandOutcome', { idempotency_key: key }] as const
}

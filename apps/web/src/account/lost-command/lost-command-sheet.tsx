import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { ConfirmButton, Problem, SheetStage, Waiting, Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatDateTime, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { useMutation } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { isFinalRefusal } from '../../api/api-error.ts'
import type { LostEnd } from '../../api/lost-command.ts'
import { refreshPersonalData } from '../../api/query-client.ts'
import { ownSentCommands, type SentCommand } from '../../api/sent-commands.ts'
import { commandMutation } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { GatedButton } from '../gated-button.tsx'
import { useAccount } from '../use-account.ts'
import { deadlineOf, forgetOutcome, type Outcome, useCommandOutcome } from './command-outcome.ts'
import { type AllCommandWords, type CommandWords, wordsFor } from './command-words.ts'

interface LostCommandSheetProps {
  readonly sent: SentCommand
  readonly words: AllCommandWords
  /** Receives the outcome as soon as it is known. */
  readonly onEnd?: ((end: NonNullable<LostEnd>) => void) | undefined
  readonly onClose: () => void
}

/**
 * A command whose response was lost: looks up its outcome and shows it. One that the server does not know can be sent again with
 * the same key, or dropped from this device, which does not cancel it. The device forgets the command once its outcome was
 * seen.
 */
export default function LostCommandSheet({ sent, words, onEnd, onClose }: LostCommandSheetProps) {
  const { stage, send, retry, isRetrying } = useLostStage(sent, onEnd)
  const own = wordsFor(words, sent)
  const isOver = stage.name === 'done' || stage.name === 'refused'

  // Not earlier: a forgotten command disappears from the screen, and this sheet with it.
  function close(): void {
    if (isOver) ownSentCommands().remove(sent.key)
    onClose()
  }

  function dismiss(): void {
    ownSentCommands().remove(sent.key)
    onClose()
  }

  return (
    <Sheet title={titleOf(stage)} onClose={close}>
      <SheetStage name={stage.name}>
        {stage.name !== 'done' && (
          <div>
            <strong className="block">{own.asked(sent)}</strong>
            {sent.sentAtMs !== null && (
              <span className="text-secondary text-muted">
                {m.account_lost_sent_at({ time: formatDateTime(new Date(sent.sentAtMs).toISOString()) })}
              </span>
            )}
          </div>
        )}
        {stageContent()}
      </SheetStage>
    </Sheet>
  )

  function stageContent(): ReactNode {
    switch (stage.name) {
      case 'done':
        return <Done sent={sent} words={own} response={stage.response} onClose={close} />
      case 'refused':
        return (
          <>
            <Problem
              text={own.refused?.(stage.refusal, sent) ?? errorText(stage.refusal)}
              detail={m.ui_no_money_moved()}
            />
            <Button onClick={close}>{m.app_got_it()}</Button>
          </>
        )
      case 'not_arrived':
        return <NotArrived sent={sent} onSend={send} onDismiss={dismiss} />
      case 'too_late':
      case 'unknown':
        return (
          <>
            <p role="status">
              {stage.name === 'unknown' ? m.account_lost_unknown({ days: stage.days }) : m.account_lost_too_late()}
            </p>
            <Button onClick={dismiss}>{m.app_got_it()}</Button>
          </>
        )
      default:
        return <Lookup stage={stage} isRetrying={isRetrying} onRetry={retry} onClose={close} />
    }
  }
}

/** The stages of the sheet: of the lookup, and of sending the command again. */
type Stage =
  | Exclude<Outcome, { name: 'checking' }>
  | { readonly name: 'checking' | 'sending' | 'signed_out' }
  | { readonly name: 'unreachable'; readonly error: Error }

function useLostStage(sent: SentCommand, onEnd: LostCommandSheetProps['onEnd']) {
  const { signedIn } = useAccount()
  const again = useMutation(commandMutation(sent.name, { silent: true }))
  const isSending = again.isPending
  const lookup = useCommandOutcome(sent, { isSending })
  const stage = stageOf()
  const { key, payload, facts } = sent

  // After a second loss the earlier lookups do not apply to the new attempt.
  const isLostAgain = again.isError && !isFinalRefusal(again.error)
  useEffect(() => {
    if (isLostAgain) void forgetOutcome(key)
  }, [isLostAgain, key])

  const isOver = stage.name === 'done' || stage.name === 'refused'
  const endNow = useEffectEvent(() => {
    if (stage.name === 'done') onEnd?.({ response: stage.response })
    if (stage.name === 'refused') onEnd?.({ refusal: stage.refusal })
    void refreshPersonalData()
  })
  useEffect(() => {
    if (isOver) endNow()
  }, [isOver])

  return {
    stage,
    // Not shown by a screen: the outcome stays here.
    send: () => again.mutate({ key, payload, facts, isShown: () => false, attempts: 0, isInDoubt: true } as never),
    retry: () => void explicitRead(() => lookup.refetch()),
    isRetrying: lookup.isFetching,
  }

  function stageOf(): Stage {
    if (again.isSuccess) return { name: 'done', response: again.data }
    if (isFinalRefusal(again.error)) return { name: 'refused', refusal: again.error }
    if (isSending) return { name: 'sending' }
    const { outcome, error } = lookup
    if (outcome.name !== 'checking') return outcome
    if (!signedIn) return { name: 'signed_out' }
    return error ? { name: 'unreachable', error } : { name: 'checking' }
  }
}

function titleOf({ name }: Stage): string {
  switch (name) {
    case 'done':
      return m.account_lost_done_title()
    case 'refused':
    case 'too_late':
      return m.account_lost_refused_title()
    default:
      return m.account_lost_title()
  }
}

/** The result: the feature's own view of it, or its sentence with its figures. */
function Done({
  sent,
  words,
  response,
  onClose,
}: {
  sent: SentCommand
  words: CommandWords<SentCommand['name']>
  response: unknown
  onClose: () => void
}) {
  const result = response as never
  const { Result } = words
  if (Result) return <Result payload={sent.payload} facts={sent.facts as never} response={result} onClose={onClose} />
  const { label, ...to } = words.link(result, sent as never)
  const figures = words.figures?.(result, sent as never)
  return (
    <>
      <div role="status">
        <Success title={words.asked(sent as never)} text={words.done(result, sent as never)} />
      </div>
      {figures && <FactList facts={figures} />}
      <SheetFoot>
        <Button onClick={onClose}>{m.account_done()}</Button>
        <Link {...(to as unknown as LinkProps)} onClick={onClose} className={buttonClass('quiet')}>
          {label}
        </Link>
      </SheetFoot>
    </>
  )
}

/** The server does not know the command. Its request may still be on its way, so only the same key is safe. */
function NotArrived({ sent, onSend, onDismiss }: { sent: SentCommand; onSend: () => void; onDismiss: () => void }) {
  const deadline = deadlineOf(sent.payload)
  return (
    <>
      <p role="status">
        {sentences(
          m.account_lost_not_arrived_text(),
          ...(deadline === undefined ? [] : [m.account_lost_may_arrive({ time: formatTime(deadline) })]),
        )}
      </p>
      <Warning text={m.account_lost_not_twice()} />
      <p className="text-muted">{m.account_lost_dismiss_text()}</p>
      <SheetFoot>
        <ConfirmButton confirms="again" label={m.account_lost_again()} onPress={onSend} />
        <Button look="quiet" onClick={onDismiss}>
          {m.account_lost_dismiss()}
        </Button>
      </SheetFoot>
    </>
  )
}

/** The lookup is in progress, failed, or needs a session. */
function Lookup({
  stage,
  isRetrying,
  onRetry,
  onClose,
}: {
  stage: Extract<Stage, { name: 'signed_out' | 'unreachable' | 'sending' | 'checking' }>
  isRetrying: boolean
  onRetry: () => void
  onClose: () => void
}) {
  if (stage.name === 'signed_out')
    return (
      <>
        <p>{m.account_lost_sign_in()}</p>
        <GatedButton needs="session">{m.app_retry()}</GatedButton>
      </>
    )
  return (
    <>
      {stage.name === 'unreachable' ? (
        <>
          <Problem text={errorText(stage.error)} detail={m.account_lost_unreachable()} />
          <Button busy={isRetrying} onClick={onRetry}>
            {m.app_retry()}
          </Button>
        </>
      ) : (
        <Waiting text={stage.name === 'sending' ? m.account_lost_sending() : m.account_lost_checking()} />
      )}
      <Button look="quiet" onClick={onClose}>
        {m.app_close()}
      </Button>
    </>
  )
}

import { Button } from '@clearwell/ui/components/button.tsx'
import { Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { ConfirmButton, Problem, SheetStage } from '@clearwell/ui/components/stage-parts.tsx'
import { TextField } from '@clearwell/ui/components/text-field.tsx'
import type { ReactNode } from 'react'
import { UnknownOutcomeError } from '../../api/api-error.ts'
import { m } from '../../generated/messages.ts'
import { refusedText } from './rich-refusal.ts'
import { isName } from './uid.ts'

/** A sheet with a form about the UID, and the outcome once there is one. */
export function UidForm({
  title,
  next,
  stage = 'form',
  done,
  busy,
  onSend,
  onClose,
  children,
}: {
  /** Names the sheet and its action. */
  title: string
  /** The label of a button that only goes on to the next stage. */
  next?: string
  stage?: string
  done: ReactNode
  busy: boolean
  onSend: () => void
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Sheet title={title} onClose={onClose} locked={busy}>
      <SheetStage name={done ? 'done' : stage}>
        {done ? (
          <>
            <div role="status">{done}</div>
            <SheetFoot>
              <Button onClick={onClose}>{m.account_done()}</Button>
            </SheetFoot>
          </>
        ) : (
          <form
            noValidate
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              if (!busy) onSend()
            }}
          >
            {children}
            <SheetFoot>
              {next ? (
                <Button onClick={onSend}>{next}</Button>
              ) : (
                <ConfirmButton confirms={title} label={title} busy={busy} onPress={onSend} />
              )}
            </SheetFoot>
          </form>
        )}
      </SheetStage>
    </Sheet>
  )
}

/** The name of the UID, which a parent reads beside a request. */
export function NameField({
  name,
  onChange,
  isChecked,
}: {
  name: string
  onChange: (name: string) => void
  /** Until the first press the name is still being typed. */
  isChecked: boolean
}) {
  return (
    <TextField
      label={m.rich_name()}
      value={name}
      onChange={onChange}
      hint={m.rich_name_hint()}
      error={
        isChecked && !isName(name) ? (name.trim() === '' ? m.rich_enter_name() : m.rich_invalid_input()) : undefined
      }
    />
  )
}

/** Why a UID or its name was rejected. It never involves funds, so they are not mentioned. */
export function UidProblem({ error }: { error: Error | null }) {
  if (!error) return null
  return (
    <Problem
      text={refusedText(error)}
      {...(error instanceof UnknownOutcomeError && { detail: m.account_outcome_unknown() })}
    />
  )
}

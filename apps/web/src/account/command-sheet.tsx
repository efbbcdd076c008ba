import { Button } from '@clearwell/ui/components/button.tsx'
import { FootRow, Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { ConfirmButton, SheetStage } from '@clearwell/ui/components/stage-parts.tsx'
import type { ReactNode } from 'react'
import { m } from '../generated/messages.ts'
import { CommandProblem } from './command-problem.tsx'

interface CommandSheetProps {
  readonly title: string
  /** The command's state, from `useCommand`. */
  readonly command: { readonly isPending: boolean; readonly error: Error | null }
  /** Why the command failed, where the feature knows more than the message of the server. */
  readonly explain?: (error: Error) => string
  /** The verb of the button. */
  readonly label: string
  /** Identifies the confirmed figures. */
  readonly confirms: string
  readonly danger?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
  /** The outcome; while it is missing, the sheet asks for the confirmation. */
  readonly done: ReactNode
  /** Figures under the outcome. */
  readonly doneFacts?: ReactNode
  /** The ways on from the outcome; else one button closes the sheet. */
  readonly doneActions?: ReactNode
  /** The command in words, with its figures. */
  readonly children: ReactNode
}

/** Says a command in words, sends it when the user confirms, and shows the outcome in the same place. */
export function CommandSheet(props: CommandSheetProps) {
  const { title, command, onClose, done } = props
  return (
    <Sheet title={title} onClose={onClose} locked={command.isPending}>
      <SheetStage name={done ? 'done' : 'confirm'}>
        {done ? (
          <>
            <div role="status">{done}</div>
            {props.doneFacts}
            <SheetFoot>{props.doneActions ?? <Button onClick={onClose}>{m.account_done()}</Button>}</SheetFoot>
          </>
        ) : (
          <Question {...props} />
        )}
      </SheetStage>
    </Sheet>
  )
}

function Question({
  command,
  explain,
  label,
  confirms,
  danger = false,
  onConfirm,
  onClose,
  children,
}: CommandSheetProps) {
  const { isPending, error } = command
  return (
    <>
      {children}
      <CommandProblem error={error} {...(explain && { explain })} />
      <SheetFoot>
        <FootRow>
          <ConfirmButton confirms={confirms} label={label} danger={danger} busy={isPending} onPress={onConfirm} />
          {!isPending && (
            <Button look="quiet" onClick={onClose}>
              {m.app_cancel()}
            </Button>
          )}
        </FootRow>
      </SheetFoot>
    </>
  )
}

import type { ReactNode } from 'react'
import { m } from '../generated/messages.ts'
import { Icon } from '../icons/icon.tsx'
import { Button } from './button.tsx'
import { FactList } from './fact-list.tsx'
import { FootRow, Sheet, SheetFoot } from './sheet.tsx'
import { ShownAmounts } from './shown-amounts.tsx'

/**
 * Says in words what will happen, before it happens. The confirm button is one confirmation: hand `onConfirm` to
 * `useCommand(…).mutate`, and `busy` its `isPending`.
 */
export function ConfirmSheet({
  title,
  text,
  facts,
  warning,
  confirmLabel,
  danger = false,
  disabled = false,
  busy,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  text?: ReactNode
  facts: readonly { label: string; value: ReactNode }[]
  warning?: ReactNode
  confirmLabel?: string
  danger?: boolean
  /** While the user has to do something in the sheet first. */
  disabled?: boolean
  busy: boolean
  onConfirm: () => void
  onClose: () => void
  children?: ReactNode
}) {
  return (
    <Sheet title={title} text={text} onClose={onClose} locked={busy}>
      {/* The user is about to confirm them. */}
      <ShownAmounts>
        <FactList facts={facts} />
        {children}
      </ShownAmounts>
      {warning && (
        <p className="flex gap-2 text-warn">
          <Icon name="triangle-alert" />
          <span>{warning}</span>
        </p>
      )}
      <SheetFoot>
        <FootRow>
          <Button look={danger ? 'danger' : 'main'} busy={busy} disabled={disabled} onClick={onConfirm}>
            {confirmLabel ?? m.app_confirm()}
          </Button>
          {busy ? null : (
            <Button look="quiet" onClick={onClose}>
              {m.app_cancel()}
            </Button>
          )}
        </FootRow>
      </SheetFoot>
    </Sheet>
  )
}

import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'
import { m } from '../generated/messages.ts'
import { Button, buttonClass } from './button.tsx'
import { popupLayer } from './popup-layer.ts'
import type { Message } from './toast-store.ts'

export default function MessageDialog({ title, text, link, onClose }: Message & { onClose: () => void }) {
  return (
    <Dialog
      title={title ?? m.ui_message()}
      text={text}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{m.app_got_it()}</Button>
          {link && (
            <a href={`#${link.path}`} onClick={onClose} className={buttonClass('quiet')}>
              {link.label}
            </a>
          )}
        </>
      }
    />
  )
}

/**
 * A question or a statement that needs the user's choice before anything else. Mounted is open: render it while it applies.
 * The focus goes in, stays in, and returns to where it was; Escape closes.
 */
function Dialog({
  title,
  text,
  actions,
  onClose,
}: {
  title: string
  text?: ReactNode
  /** The choices, the safest first. */
  actions: ReactNode
  onClose: () => void
}) {
  return (
    <AlertDialog.Root open onOpenChange={(open) => open || onClose()}>
      <AlertDialog.Portal container={popupLayer()}>
        <AlertDialog.Backdrop className="fixed inset-0 z-66 bg-scrim" />
        <AlertDialog.Popup className="fixed inset-x-4 top-1/2 z-66 mx-auto flex max-w-88 -translate-y-1/2 flex-col gap-3 rounded-sheet bg-surface p-6">
          <AlertDialog.Title className="text-section">{title}</AlertDialog.Title>
          {text && <AlertDialog.Description className="text-muted">{text}</AlertDialog.Description>}
          <div className="mt-2 flex flex-col gap-2">{actions}</div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

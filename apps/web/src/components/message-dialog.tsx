import { m } from '../generated/paraglide/messages.js'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import type { Message } from './toast-store.ts'

export default function MessageDialog({ title, text, onClose }: Message & { onClose: () => void }) {
  return (
    <Dialog
      title={title ?? m.ui_notice()}
      text={text}
      onClose={onClose}
      actions={<Button onClick={onClose}>{m.app_got_it()}</Button>}
    />
  )
}

import { formatHongKongTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { OperatorContact } from '../../account/operator-contact.tsx'
import type { User } from '../../api/session-store.ts'
import { m } from '../../generated/messages.ts'

/** Says until when the account is frozen, why, what still works and whom to contact. It stays until the freeze has ended. */
export default function FrozenBanner({ frozen }: { frozen: NonNullable<User['frozen']> }) {
  return (
    <div className="flex gap-2 border-b border-line px-4 py-2 text-label text-warn">
      <Icon name="lock" className="mt-0.5 size-4 shrink-0" />
      <div className="flex min-w-0 flex-col gap-1 text-phrases">
        <p className="font-semibold">{m.session_frozen({ until: formatHongKongTime(frozen.until) })}</p>
        <p className="break-words">{m.session_frozen_reason({ reason: frozen.reason })}</p>
        <p>{m.session_frozen_text()}</p>
        <OperatorContact />
      </div>
    </div>
  )
}

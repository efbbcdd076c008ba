import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import type { IconName } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../generated/messages.ts'
import { GatedButton } from './gated-button.tsx'

/** Shown instead of the user's own figures until they sign in. The title says what they will see. */
export function SignedOut({
  title,
  text = m.account_sign_in_safe(),
  icon = 'wallet',
}: {
  title: string
  text?: string
  icon?: IconName
}) {
  return (
    <EmptyState
      icon={icon}
      title={title}
      text={text}
      action={<GatedButton needs="session">{m.nav_connect()}</GatedButton>}
    />
  )
}

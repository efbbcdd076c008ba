import { shortHex } from '@clearwell/ui/i18n/format.ts'
import { m } from '../../generated/messages.ts'
import { inviteCode } from './invite-code.ts'

// With the line on home, so that home loads one part for both.
export { keepInviteCode } from './invite-code.ts'

/** Says on home that a visitor is invited, and that this counts only with a sign-in, whose sheet says the rest. */
export default function Invitation() {
  const code = inviteCode()
  if (code === undefined) return null
  return (
    <p className="flex flex-1 flex-col justify-center rounded-control border border-line">
      <strong>{m.session_invited({ code: shortHex(code) })}</strong>
      <span className="text-secondary text-muted">{m.session_invited_counts()}</span>
    </p>
  )
}

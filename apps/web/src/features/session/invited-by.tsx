import { Button } from '@clearwell/ui/components/button.tsx'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import { forgetInviteCode, inviteCode } from './invite-code.ts'

/** Says before a sign-in which inviter it accepts, because that is permanent. The user may decline. */
export function InvitedBy() {
  const [code, setCode] = useState(inviteCode)
  if (code === undefined) return null
  const decline = () => {
    forgetInviteCode()
    setCode(undefined)
  }
  return (
    <div className="flex items-center gap-3 rounded-control border border-line bg-ground py-2 ps-4 pe-2">
      <p className="min-w-0 flex-1">
        <strong className="block [overflow-wrap:anywhere]">{m.session_invited({ code })}</strong>
        <span className="text-secondary text-muted">{m.session_invited_text()}</span>
      </p>
      <Button look="quiet" size="small" onClick={decline}>
        {m.session_invited_remove()}
      </Button>
    </div>
  )
}

import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { showError, showToast } from '@clearwell/ui/components/toast-store.ts'
import { shortHex } from '@clearwell/ui/i18n/format.ts'
import { useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { call } from '../../api/client.ts'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { useWallet } from '../../wallet/wallet.ts'
import { CHOICE } from './session.samples.ts'
import { signOut } from './sign-out.ts'

/** My account: the connected address and wallet, and the button to disconnect. */
export default function AccountSheet({ onClose }: { onClose: () => void }) {
  const { address: connected, connectorName } = useWallet()
  const { user } = useAccount()
  const config = useConfig()
  const [leaving, setLeaving] = useState(false)
  // While the wallet resumes after a reload, only the session knows the address.
  const address = connected ?? user?.address
  if (!address) return null
  const leave = () => {
    setLeaving(true)
    signOut().catch((error: unknown) => {
      setLeaving(false)
      showError(error)
    })
  }
  return (
    <Sheet title={m.nav_my_account()} onClose={onClose}>
      <FactList
        facts={[
          {
            label: m.session_address(),
            value: (
              <span className="inline-flex items-center" title={address}>
                {shortHex(address)}
                <CopyButton text={address} label={m.session_copy_address()} />
              </span>
            ),
          },
          { label: m.session_wallet(), value: connectorName ?? <Pending>{CHOICE.name}</Pending> },
          { label: m.session_network(), value: config?.chain.name },
          ...(user
            ? [
                { label: m.session_invite_code(), value: user.invite_code },
                {
                  label: m.session_status(),
                  value: user.activated ? (
                    <Badge tone="done">{m.session_activated()}</Badge>
                  ) : (
                    <Badge>{m.session_inactive()}</Badge>
                  ),
                },
              ]
            : []),
        ]}
      />
      {config?.profile === 'local' && (
        <Button
          look="quiet"
          onClick={() => call('localFaucet', { address }).then(() => showToast(m.session_test_coins_sent()), showError)}
        >
          {m.session_test_coins()}
        </Button>
      )}
      <Button look="danger" icon="log-out" busy={leaving} onClick={leave}>
        {m.nav_disconnect()}
      </Button>
    </Sheet>
  )
}

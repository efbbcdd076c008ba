import { Button } from '@clearwell/ui/components/button.tsx'
import { showError, showToast } from '@clearwell/ui/components/toast-store.ts'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { useState } from 'react'
import { useAccountAddress } from '../../account/use-account.ts'
import { call } from '../../api/client.ts'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { refreshChainBalances } from '../../vault-payment/payment-assets.ts'

/** In the local profile alone: test tokens for the account's wallet, also while it reconnects, called what they are. */
export function Faucet() {
  const { give, busy } = useFaucet()
  if (!give) return null
  return (
    <div className="flex flex-col gap-2">
      <Button look="quiet" icon="coins" busy={busy} onClick={() => void give()}>
        {m.wallet_faucet()}
      </Button>
      <p className="text-center text-label text-muted">{m.wallet_faucet_text()}</p>
    </div>
  )
}

/** The faucet of the local profile; `give` is `undefined` where there is none. It returns whether the tokens have come. */
export function useFaucet(): { readonly give: (() => Promise<boolean>) | undefined; readonly busy: boolean } {
  const config = useConfig()
  const address = useAccountAddress()
  const [busy, setBusy] = useState(false)
  if (config?.profile !== 'local' || !address) return { give: undefined, busy }
  const give = async () => {
    setBusy(true)
    try {
      const { items } = await call('localFaucet', { address })
      showToast(
        m.wallet_faucet_sent({
          amounts: items.map(({ asset, amount }) => `${formatAmount(amount)} ${asset}`).join(' · '),
        }),
      )
      await refreshChainBalances()
      return true
    } catch (error) {
      showError(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { give, busy }
}

import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { QrFrame } from '@clearwell/ui/components/qr-frame.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { formatList, shortHex } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { useAccountAddress } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { chainAssets } from '../../vault-payment/payment-assets.ts'
import { useWallet } from '../../wallet/wallet.ts'
import { WholeAddress } from './confirm-parts.tsx'

const QrCode = lazyPart(() => import('@clearwell/ui/components/qr-code.tsx'))

type Source = 'elsewhere' | 'own'

interface ReceiveSheetProps {
  readonly config: Config
  readonly onClose: () => void
}

/**
 * Receives by QR code. The vault credits a payment to its sender, so money from an exchange or another wallet goes to the
 * user's wallet first; only the user's own wallet pays the vault.
 */
export default function ReceiveSheet({ config, onClose }: ReceiveSheetProps) {
  const [source, setSource] = useState<Source>('elsewhere')
  return (
    <Sheet title={m.wallet_receive()} onClose={onClose}>
      <SegmentedControl
        label={m.wallet_receive_source()}
        options={[
          { value: 'elsewhere', label: m.wallet_receive_elsewhere() },
          { value: 'own', label: m.wallet_receive_own() },
        ]}
        value={source}
        onChange={setSource}
      />
      {source === 'elsewhere' ? <ToMyWallet config={config} /> : <ToVault config={config} />}
    </Sheet>
  )
}

/** The user's own wallet receives; a transfer in follows. */
export function ToMyWallet({ config }: { config: Config }) {
  const account = useAccountAddress()
  // The wallet's spelling of the same address has the checksum.
  const address = useWallet().address ?? account
  const { assets } = chainAssets(config)
  const network = config.chain.name
  return (
    <>
      <ol className="flex list-decimal flex-col gap-1 ps-6 marker:text-muted">
        <li>{m.wallet_receive_step_send({ address: shortHex(address) })}</li>
        <li>{m.wallet_receive_step_in()}</li>
      </ol>
      <Warning
        texts={[
          m.wallet_receive_network({ network, assets: formatList(assets.map(({ asset }) => asset)) }),
          m.wallet_receive_not_vault(),
        ]}
      />
      <Code text={address} label={m.wallet_receive_code_wallet()} />
      <WholeAddress label={m.wallet_receive_my_address()} text={address} copyLabel={m.wallet_receive_copy_address()} />
    </>
  )
}

/** The vault receives the native coin from the user's own wallet, once the user has confirmed to know the limits of that. */
export function ToVault({ config }: { config: Config }) {
  const account = useAccountAddress()
  const address = useWallet().address ?? account
  const [isConfirmed, setConfirmed] = useState(false)
  const coin = chainAssets(config).native?.asset ?? config.chain.native.symbol
  const network = config.chain.name
  return (
    <>
      <p className="text-muted">{m.wallet_receive_vault_text({ coin, address: shortHex(address) })}</p>
      <Warning
        texts={[
          m.wallet_receive_vault_sender({ address: shortHex(address) }),
          m.wallet_receive_vault_coin({ coin }),
          m.wallet_receive_vault_network({ network }),
        ]}
      />
      <label className="flex min-h-11 items-start gap-3 py-2">
        <input
          type="checkbox"
          checked={isConfirmed}
          onChange={(event) => setConfirmed(event.target.checked)}
          className="mt-0.5 size-5 shrink-0 accent-accent"
        />
        {m.wallet_receive_vault_confirm({ coin, network, address: shortHex(address) })}
      </label>
      {isConfirmed && (
        <>
          <Code text={paymentUri(config)} label={m.wallet_receive_code_vault()} />
          <WholeAddress label={m.payment_vault()} text={config.vault} copyLabel={m.payment_copy_vault()} />
        </>
      )}
    </>
  )
}

/** A payment request as wallets scan it (EIP-681), with the chain, so that a wallet on another network notices. */
function paymentUri({ vault, chain }: Config): string {
  return `ethereum:${vault}@${chain.id}`
}

function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex flex-col py-1">
      <QrCode text={text} label={label} fallback={<QrFrame />} />
    </div>
  )
}

function Warning({ texts }: { texts: readonly string[] }) {
  return (
    <div className="flex gap-3 rounded-control bg-input p-3">
      <Icon name="triangle-alert" className="text-warn" />
      <ul className="flex min-w-0 flex-1 flex-col gap-2">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}

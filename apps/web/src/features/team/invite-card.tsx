import { copyText } from '@clearwell/ui/browser/copy-text.ts'
import { saveFile } from '@clearwell/ui/browser/save-file.ts'
import { Button } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { QrFrame } from '@clearwell/ui/components/qr-frame.tsx'
import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { type ReactNode, useState } from 'react'
import { useConfig } from '../../api/config.ts'
import { shareOrSaveFile } from '../../components/share-file.ts'
import { m } from '../../generated/messages.ts'
import { isHandheld } from '../../wallet/wallet-app-links.ts'
import { referralPartOf } from './referral-part.ts'

const QrCode = lazyPart(() => import('@clearwell/ui/components/qr-code.tsx'))

/** An address that opens the app with the code: the same app that its user is in. */
function inviteLink(code: string): string {
  return `${globalThis.location?.origin ?? ''}/?pid=${encodeURIComponent(code)}`
}

/** The invitation: what an inviter gets, the code, the link, and the link as a QR code to show or to save. */
export function InviteCard({ code }: { code: string }) {
  const fees = useConfig()?.fees
  const link = inviteLink(code)
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex items-center gap-4">
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <p className="figures text-total">{fees ? formatPercent(referralPartOf(fees)) : '—'}</p>
          <p className="text-secondary text-balance text-muted">{m.referral_share_of_fees()}</p>
        </div>
        <div className="flex size-30 shrink-0 flex-col">
          <QrCode text={link} label={m.referral_qr()} fallback={<QrFrame />} />
        </div>
      </div>
      <div className="flex flex-col divide-y divide-line border-t border-line">
        <Copied label={m.referral_code()} value={code}>
          <CopyButton text={code} label={m.referral_copy_code()} />
        </Copied>
        <Copied label={m.referral_link()} value={link.replace(/^https?:\/\//, '')}>
          <Button look="quiet" size="small" icon="copy" onClick={() => void copyLink(link)}>
            {m.referral_copy_link()}
          </Button>
        </Copied>
      </div>
      <SaveQrButton code={code} link={link} />
    </Card>
  )
}

/** A text with the button that copies it. */
function Copied({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className="flex min-h-16 items-center justify-between gap-3 py-2">
      <p className="flex min-w-0 flex-col">
        <span className="text-secondary text-muted">{label}</span>
        <span className="font-mono [overflow-wrap:anywhere]">{value}</span>
      </p>
      <span className="flex shrink-0">{children}</span>
    </div>
  )
}

/** Opens the share sheet of the device. Where there is none, the link is copied. */
export function ShareButton({ code }: { code: string }) {
  const product = useConfig()?.product[currentLocale()] ?? m.app_name()
  const link = inviteLink(code)
  const share = async () => {
    if (!navigator.share) return copyLink(link)
    try {
      await navigator.share({ title: product, text: m.referral_share_text({ product }), url: link })
    } catch (error) {
      // The user closed the share sheet. Any other failure, as in the browsers of some wallets, copies the link.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copyLink(link)
    }
  }
  return (
    <Button icon="share-2" onClick={() => void share()}>
      {m.referral_share()}
    </Button>
  )
}

function SaveQrButton({ code, link }: { code: string; link: string }) {
  const product = useConfig()?.product[currentLocale()] ?? m.app_name()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { drawInvitation } = await import('./invite-picture.ts')
      const picture = await drawInvitation({ product, code, link })
      const file = new File([picture], `${product}-${code}.png`, { type: 'image/png' })
      const saved = m.referral_qr_saved()
      // On a phone the share sheet saves to the photos; the browsers of wallets often save nothing themselves.
      if (isHandheld()) await shareOrSaveFile(file, { title: product, saved })
      else {
        saveFile(file, file.name)
        showToast(saved)
      }
    } catch {
      showToast(m.referral_qr_failed())
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button look="quiet" size="small" icon="download" busy={busy} onClick={() => void save()}>
      {m.referral_save_qr()}
    </Button>
  )
}

function copyLink(link: string): Promise<void> {
  return copyText(link).then(
    () => showToast(m.referral_link_copied()),
    () => showToast(m.app_copy_failed()),
  )
}

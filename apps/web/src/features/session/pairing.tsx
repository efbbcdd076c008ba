import { cx } from '@clearwell/ui/browser/cx.ts'
import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { ExternalLink } from '@clearwell/ui/components/external-link.tsx'
import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { QrFrame } from '@clearwell/ui/components/qr-frame.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../generated/messages.ts'
import { chooseAgain } from './sign-in.ts'

const QrCode = lazyPart(() => import('@clearwell/ui/components/qr-code.tsx'))

/** Pairs with a wallet on another device, by QR code, or with another app on this device. */
export function Pairing({ uri }: { uri: string | undefined }) {
  const waiting = <QrFrame />
  return (
    <>
      <div className="flex flex-col">
        {uri === undefined ? waiting : <QrCode text={uri} label={m.connector_scan_code()} fallback={waiting} />}
      </div>
      <span role="status" className="sr-only">
        {uri === undefined ? m.connector_scan_preparing() : m.connector_scan()}
      </span>
      {uri !== undefined && (
        <div className="flex items-center gap-2">
          <ExternalLink href={uri} className={cx(buttonClass(), 'flex-1')}>
            <Icon name="external-link" />
            {m.connector_open_wallet()}
          </ExternalLink>
          <CopyButton text={uri} label={m.connector_copy_code()} />
        </div>
      )}
      <Button look="quiet" onClick={chooseAgain}>
        {m.connector_back()}
      </Button>
    </>
  )
}

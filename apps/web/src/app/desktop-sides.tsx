import { BrandMark } from '@clearwell/ui/components/brand-mark.tsx'
import QrCode from '@clearwell/ui/components/qr-code.tsx'
import { Ripples } from '@clearwell/ui/components/ripples.tsx'
import { ProofSlot } from '../features/proof/proof-slot.tsx'
import { withInviteCode } from '../features/session/invite-code.ts'
import { m } from '../generated/messages.ts'
import { useProductName } from './product-title.tsx'

/** Beside the column on a desktop: the promise and the proof, and a code that opens the app on a phone. */
export default function DesktopSides() {
  return (
    <>
      <aside
        aria-label={m.desktop_about()}
        className="beside-panel start-0 flex flex-col items-end justify-center gap-8 ps-8"
      >
        <div className="@container flex w-full max-w-96 flex-col gap-4">
          <Ripples className="-ms-8 mb-2 self-start">
            <BrandMark className="size-20" />
          </Ripples>
          <p className="text-screen text-balance break-keep wrap-anywhere @[18rem]:text-total">{m.home_promise()}</p>
          <p className="text-section font-normal text-balance break-keep wrap-anywhere text-muted">
            {m.desktop_promise_text()}
          </p>
        </div>
        <div className="w-full max-w-96">
          <ProofSlot />
        </div>
      </aside>
      <aside
        aria-label={m.desktop_phone()}
        className="beside-panel end-0 flex flex-col items-start justify-center pe-8"
      >
        <div className="flex w-full max-w-60 flex-col gap-4 rounded-card border border-line bg-surface p-4 text-center">
          <QrCode text={withInviteCode(`${location.origin}/`)} label={m.desktop_code()} />
          <div className="flex flex-col gap-1 pb-1">
            <p className="text-section">{m.desktop_phone()}</p>
            <p className="text-secondary text-balance text-muted">{m.desktop_phone_text({ name: useProductName() })}</p>
          </div>
        </div>
      </aside>
    </>
  )
}

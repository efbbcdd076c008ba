import { Button } from '@clearwell/ui/components/button.tsx'
import { useEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { m } from '../../generated/messages.ts'

/** A request as the wallet shows it: a title, facts, and the whole text that is signed or sent. */
export interface DemoRequest {
  readonly title: string
  readonly facts: readonly { label: string; value: string }[]
  readonly content?: string
}

/**
 * Shows a request to the demo wallet and waits for Approve or Reject; Escape rejects. It has its own React root and a
 * native dialog: like an extension's window it is above the app and independent of it. Requests queue.
 */
export function askInSheet(request: DemoRequest): Promise<boolean> {
  const answer = queue.then(() => showSheet(request))
  queue = answer
  return answer
}

let queue: Promise<unknown> = Promise.resolve()

function showSheet(request: DemoRequest): Promise<boolean> {
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  return new Promise<boolean>((resolve) => {
    root.render(
      <DemoWalletSheet
        request={request}
        onAnswer={(approved) => {
          resolve(approved)
          root.unmount()
          host.remove()
        }}
      />,
    )
  })
}

function DemoWalletSheet({ request, onAnswer }: { request: DemoRequest; onAnswer: (approved: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="demo-wallet-title"
      onCancel={() => onAnswer(false)}
      className="column fixed inset-x-0 top-auto bottom-0 m-0 mx-auto max-h-[85dvh] overflow-y-auto rounded-t-sheet border border-b-0 border-line bg-surface text-text backdrop:bg-scrim"
    >
      <div className="flex flex-col gap-4 px-4 pt-4">
        <p className="text-label text-warn">{m.demo_wallet_name()}</p>
        <h2 id="demo-wallet-title" className="text-section">
          {request.title}
        </h2>
        <dl className="flex flex-col gap-3">
          {request.facts.map(({ label, value }) => (
            <div key={label}>
              <dt className="text-label text-muted">{label}</dt>
              <dd className="figures break-all">{value}</dd>
            </div>
          ))}
        </dl>
        {request.content === undefined ? null : (
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
            tabIndex={0}
            className="max-h-60 overflow-auto rounded-control border border-line bg-ground p-3 font-mono text-label whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {request.content}
          </pre>
        )}
        <p className="text-label text-muted">{m.demo_wallet_note()}</p>
        {/* In sight also where long data scrolls on a small phone. */}
        <div className="safe-bottom sticky bottom-0 -mx-4 bg-surface">
          <div className="grid grid-cols-2 gap-3 px-4 pt-2 pb-4">
            <Button look="quiet" onClick={() => onAnswer(false)}>
              {m.demo_wallet_refuse()}
            </Button>
            <Button onClick={() => onAnswer(true)}>{m.demo_wallet_approve()}</Button>
          </div>
        </div>
      </div>
    </dialog>
  )
}

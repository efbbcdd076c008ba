import { cx } from '@clearwell/ui/browser/cx.ts'
import { Button } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ExternalLink } from '@clearwell/ui/components/external-link.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useEffect, useState } from 'react'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { useWallet, wallet } from '../../wallet/wallet.ts'
import { isHandheld, WALLET_MAKERS, walletAppLinks } from '../../wallet/wallet-app-links.ts'
import type { WalletChoice } from '../../wallet/wallet-choices.ts'
import { withInviteCode } from './invite-code.ts'
import { InvitedBy } from './invited-by.tsx'
import { Pairing } from './pairing.tsx'
import { CHOICE, SIGN_IN_TEXT } from './session.samples.ts'
import { chooseWallet, confirmSigning, retrySignIn } from './sign-in.ts'
import type { SignInStage } from './sign-in-stage.ts'

/** The whole sign-in in one sheet: choose a wallet, read the text to sign, wait for the wallet. */
export default function SignInSheet({ stage, onClose }: { stage: SignInStage; onClose: () => void }) {
  const locked = stage.at === 'signing'
  switch (stage.at) {
    case 'choose':
    case 'connecting':
      if (stage.at === 'connecting' && stage.pairing)
        return (
          <Sheet title={m.connector_scan()} text={m.connector_scan_text()} onClose={onClose}>
            <Pairing uri={stage.pairing.uri} />
          </Sheet>
        )
      return (
        <Sheet title={m.connector_choose()} text={m.session_connect_first()} onClose={onClose}>
          <WalletList waitingFor={stage.at === 'connecting' ? stage.uid : undefined} />
          {stage.at === 'connecting' && (
            <p role="status" className="text-muted">
              {m.connector_connecting({ name: stage.name })}
            </p>
          )}
          <InvitedBy />
          <AboutWallets />
        </Sheet>
      )
    case 'preparing':
      return (
        <Sheet title={m.session_sign_in()} text={m.session_sign_explained()} onClose={onClose}>
          <Pending>
            <TextToSign text={SIGN_IN_TEXT} />
          </Pending>
        </Sheet>
      )
    case 'read':
    case 'signing':
      return (
        <Sheet title={m.session_sign_in()} text={m.session_sign_explained()} onClose={onClose} locked={locked}>
          <TextToSign text={stage.text} />
          {stage.at === 'read' && stage.error && (
            <p role="alert" className="flex flex-col">
              <span className="text-warn">{stage.error.text}</span>
              {stage.error.reason && <span className="text-secondary text-muted">{stage.error.reason}</span>}
            </p>
          )}
          {!locked && <InvitedBy />}
          <Button busy={locked} onClick={() => confirmSigning(stage)}>
            {stage.at === 'read'
              ? m.session_sign_in_wallet()
              : stage.isSigned
                ? m.session_signing_in()
                : m.session_waiting()}
          </Button>
        </Sheet>
      )
    case 'failed':
      return (
        <Sheet title={m.session_sign_in()} onClose={onClose}>
          <p role="alert" className="flex gap-2 text-warn">
            <Icon name="circle-alert" />
            <span>{stage.error}</span>
          </p>
          <Button icon="refresh-cw" onClick={retrySignIn}>
            {m.app_retry()}
          </Button>
        </Sheet>
      )
  }
}

function TextToSign({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-label text-muted">{m.session_sign_exact()}</h3>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys.
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-control border border-line bg-ground p-3 font-mono text-label whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {text}
      </pre>
    </div>
  )
}

function WalletList({ waitingFor }: { waitingFor: string | undefined }) {
  const choices = useWalletChoices()
  const { connectorUid } = useWallet()
  if (choices === undefined)
    return (
      <Pending>
        <WalletRow choice={CHOICE} isWaiting={false} isSelected={false} disabled />
      </Pending>
    )
  const appLinks = isHandheld() && choices.every(({ kind }) => kind === 'elsewhere')
  // The first connector is no item of the list (specification §2): it has a separate button.
  const first = choices.find(({ kind }) => kind === 'generic')
  const row = (choice: WalletChoice) => (
    <WalletRow
      choice={choice}
      isWaiting={choice.uid === waitingFor}
      isSelected={choice.uid === connectorUid}
      disabled={waitingFor !== undefined}
    />
  )
  return (
    <>
      {choices.length === 0 && (
        <EmptyState
          icon="wallet"
          title={m.connector_none()}
          text={appLinks ? m.connector_phone_hint() : m.connector_none_hint()}
        />
      )}
      {first && row(first)}
      <ul className="flex flex-col gap-2 empty:hidden">
        {choices.map((choice) => choice !== first && <li key={choice.uid}>{row(choice)}</li>)}
      </ul>
      {appLinks && <WalletApps isAlone={choices.length === 0} />}
    </>
  )
}

function WalletRow({
  choice,
  isWaiting,
  isSelected,
  disabled,
}: {
  choice: WalletChoice
  isWaiting: boolean
  isSelected: boolean
  disabled: boolean
}) {
  return (
    <button
      type="button"
      aria-disabled={disabled || undefined}
      onClick={() => disabled || chooseWallet(choice)}
      className={cx(ROW, 'w-full')}
    >
      {choice.icon ? <img src={choice.icon} alt="" className="size-8 rounded-chip" /> : <Icon name="wallet" />}
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{choice.name}</span>
      {isWaiting && <Icon name="loader-circle" className="animate-spin text-accent" />}
      {isSelected && (
        <>
          <Icon name="circle-check" className="text-accent" />
          <span className="sr-only">{m.connector_selected()}</span>
        </>
      )}
    </button>
  )
}

/** For those who have none yet. Closed, so that others see the list of wallets first. */
function AboutWallets() {
  return (
    <details className="rounded-control border border-line px-4">
      <summary className="min-h-11 cursor-pointer content-center text-muted">{m.connector_what()}</summary>
      <div className="flex flex-col gap-2 pb-3 text-secondary">
        <p>{m.connector_what_text()}</p>
        <p className="text-muted">{m.connector_what_get()}</p>
        <ul className="flex flex-wrap gap-x-4">
          {WALLET_MAKERS.map(({ name, href }) => (
            <li key={name}>
              <ExternalLink href={href} className="inline-flex min-h-11 items-center gap-1 font-semibold text-accent">
                {name}
                <Icon name="external-link" className="size-4" />
              </ExternalLink>
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}

const ROW =
  'flex min-h-14 items-center gap-3 rounded-control border border-line bg-input px-4 text-start hover:border-accent'

/** Links into the browsers of wallet apps, for phones without a wallet in this browser. */
function WalletApps({ isAlone }: { isAlone: boolean }) {
  const config = useConfig()
  const links = walletAppLinks({ href: withInviteCode(location.href), site: config?.product.en ?? document.title })
  return (
    <section className="flex flex-col gap-2">
      {!isAlone && <h3 className="text-label text-muted">{m.connector_open_in()}</h3>}
      {links.map(({ name, href }) => (
        <ExternalLink key={name} href={href} className={ROW}>
          <Icon name="external-link" />
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{m.connector_open_in_app({ name })}</span>
        </ExternalLink>
      ))}
    </section>
  )
}

/** The available wallets, including those that announce themselves later. */
function useWalletChoices(): WalletChoice[] | undefined {
  const [choices, setChoices] = useState<WalletChoice[]>()
  useEffect(() => {
    let stop = () => {}
    let gone = false
    void wallet().then((core) => {
      if (gone) return
      setChoices(core.choices())
      stop = core.watchChoices(() => setChoices(core.choices()))
    })
    return () => {
      gone = true
      stop()
    }
  }, [])
  return choices
}

import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { ConfirmSheet } from '@clearwell/ui/components/confirm-sheet.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { isFinalRefusal } from '../../api/api-error.ts'
import type { Config } from '../../api/config.ts'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { useWallet } from '../../wallet/wallet.ts'
import { ActNote } from './act-note.tsx'
import { type ExitClaims, useExitClaims } from './exit.queries.ts'
import { CLAIMS } from './exit.samples.ts'
import { useExitAct } from './exit-act.ts'
import { formerVaultFacts, formerVaultOf } from './former-vault.tsx'

/** The payments of an exit that is ready: one transaction for each asset, at any later time. */
export function FinishExit({ config, hasPaid }: { config: Config; hasPaid: boolean }) {
  const claims = useExitClaims()
  return <Card title={m.exit_finish_title()}>{content()}</Card>

  function content() {
    const { data, error, isError, refetch } = claims
    if (isFinalRefusal(error) && error.codeName === 'not_found')
      return <p className="text-warn">{m.exit_finish_unproven()}</p>
    if (data) return <Claims data={data} config={config} hasPaid={hasPaid} />
    if (isError) return <ErrorState error={error} onRetry={refetch} />
    return (
      <Pending>
        <Claims data={CLAIMS} config={config} hasPaid={false} />
      </Pending>
    )
  }
}

function Claims({ data, config, hasPaid }: { data: ExitClaims; config: Config; hasPaid: boolean }) {
  if (data.claims.length === 0)
    return <p className="text-muted">{hasPaid ? m.exit_finish_all() : m.exit_finish_nothing()}</p>
  return (
    <>
      <p className="text-secondary text-muted">
        {m.exit_finish_text({ number: formatAmount(data.base.number), time: formatDateTime(data.base.posted_at) })}
      </p>
      <ul className="flex flex-col divide-y divide-line">
        {data.claims.map((claim) => (
          <Claim key={claim.asset} claim={claim} claims={data} config={config} />
        ))}
      </ul>
    </>
  )
}

function Claim({ claim, claims, config }: { claim: ExitClaims['claims'][number]; claims: ExitClaims; config: Config }) {
  const { asset, amount } = claim
  const { user } = useAccount()
  const { wrongNetwork } = useWallet()
  const [isAsking, setAsking] = useState(false)
  const act = useExitAct(`finish:${claims.base.number}:${asset}`)
  const to = user?.address ?? ''
  const former = formerVaultOf(claims, config)
  const send = () => {
    setAsking(false)
    void act.send((core) => core.vaultCalls.finishExit(former ?? config.vault, { claims, claim, to }))
  }
  return (
    <li className="flex flex-col gap-2 py-2">
      <div className="flex min-h-13 items-center gap-3">
        <TokenMark asset={asset} />
        <AmountText amount={amount} asset={asset} className="min-w-0 flex-1 truncate font-semibold" />
        <Button
          size="small"
          aria-label={m.exit_finish_of({ asset })}
          busy={act.isBusy}
          disabled={wrongNetwork}
          onClick={() => setAsking(true)}
        >
          {m.exit_finish()}
        </Button>
      </div>
      <ActNote act={act} />
      {isAsking && (
        <ConfirmSheet
          title={m.exit_finish_confirm({ amount: `${formatAmount(amount)} ${asset}` })}
          text={m.exit_finish_confirm_text()}
          facts={[
            { label: m.exit_finish_to(), value: <span className="font-mono text-label break-all">{to}</span> },
            ...formerVaultFacts(former),
            { label: m.payment_network(), value: config.chain.name },
          ]}
          warning={former && m.exit_former_finish()}
          confirmLabel={m.payment_open_wallet()}
          busy={false}
          onConfirm={send}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}

import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { InactiveNote } from '../../account/inactive-note.tsx'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import { DepositField, useDepositForm } from './deposit-form.tsx'
import { InProgress } from './in-progress.tsx'
import { Requirements } from './requirements.tsx'
import { type RichOverview, useRichOverview, useRichProgram } from './rich.queries.ts'
import { OVERVIEW } from './rich.samples.ts'
import { starWords } from './rich-words.ts'
import { isSome } from './star-terms.ts'
import { StepDown } from './step-down.tsx'
import { TakeBack } from './take-back.tsx'

const DepositSheet = lazySheet(() => import('./deposit-sheet.tsx'))
const LinkSheet = lazySheet(() => import('./link-sheet.tsx'))
const StepDownSheet = lazySheet(() => import('./step-down-sheet.tsx'))
const TakeBackSheet = lazySheet(() => import('./take-back-sheet.tsx'))

/** Depositing RT for a star, stepping down, and what each star needs and gives. */
export default function DepositScreen() {
  const { signedIn } = useAccount()
  const overview = useRichOverview()
  const program = useRichProgram()
  const { data } = overview
  if (signedIn && data) return <MyDeposit overview={data} isStale={overview.isError} />
  const hasFailed = signedIn && overview.isError
  if (signedIn && !hasFailed)
    return (
      <PendingScreen>
        <MyDeposit overview={OVERVIEW} isStale={false} />
      </PendingScreen>
    )
  return (
    <Screen
      title={m.title_rich_pledge()}
      action={!signedIn && <GatedButton needs="session">{m.nav_connect()}</GatedButton>}
    >
      {!signedIn ? (
        <p className="text-muted">{m.rich_deposit_words()}</p>
      ) : (
        <ErrorState error={overview.error} onRetry={() => Promise.all([overview.refetch(), program.refetch()])} />
      )}
      {/* One error is enough where both failed. */}
      {!(hasFailed && program.isError) && <Requirements star={0} />}
    </Screen>
  )
}

function MyDeposit({ overview, isStale }: { overview: RichOverview; isStale: boolean }) {
  const form = useDepositForm(overview)
  const [isLinking, setLinking] = useState(false)
  const [noticeDays, setNoticeDays] = useState<number>()
  const [isTakingBack, setTakingBack] = useState(false)
  const { uid, star, deposit, spare, step_down: stepDown } = overview
  return (
    <Screen
      title={m.title_rich_pledge()}
      aside={isStale && <Badge tone="warning">{m.ui_stale()}</Badge>}
      action={
        uid === null ? (
          <GatedButton needs="activation" onClick={() => setLinking(true)}>
            {m.rich_link()}
          </GatedButton>
        ) : (
          !stepDown && (
            <GatedButton needs="activation" look={form.isReady ? 'main' : 'idle'} onClick={form.goOn}>
              {m.rich_continue()}
            </GatedButton>
          )
        )
      }
    >
      <InactiveNote />
      <InProgress request={null} step_down={stepDown} />
      {uid === null ? (
        <p className="text-muted">{m.rich_link_first()}</p>
      ) : (
        !stepDown && <DepositField overview={overview} form={form} />
      )}
      <FactList
        facts={[
          { label: m.rich_star_level(), value: starWords(star) },
          { label: m.rich_deposit_total(), value: <AmountText amount={deposit} asset="RT" /> },
        ]}
      />
      <Requirements star={stepDown ? 0 : star} />
      {isSome(spare) && <TakeBack spare={spare} star={star} onStart={() => setTakingBack(true)} />}
      {star > 0 && !stepDown && <StepDown onStart={setNoticeDays} />}
      {form.confirmed !== undefined && (
        <DepositSheet amount={form.confirmed} overview={overview} onDone={form.clear} onClose={form.back} />
      )}
      {isTakingBack && <TakeBackSheet overview={overview} onClose={() => setTakingBack(false)} />}
      {isLinking && <LinkSheet onClose={() => setLinking(false)} />}
      {/* Outside of the offer, which goes as soon as the notice is given: the sheet has yet to say so. */}
      {noticeDays !== undefined && (
        <StepDownSheet overview={overview} days={noticeDays} onClose={() => setNoticeDays(undefined)} />
      )}
    </Screen>
  )
}

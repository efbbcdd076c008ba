import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { RefreshControl } from '@clearwell/ui/components/refresh-control.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { Link } from '@tanstack/react-router'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { InviteCard, ShareButton } from './invite-card.tsx'
import { LevelProgress } from './level-progress.tsx'
import { Earnings } from './referral-earnings.tsx'
import { referralPartOf, revenuePartOf } from './referral-part.ts'
import { useTeamOverview } from './team.queries.ts'
import { OVERVIEW } from './team.samples.ts'

/** The user's invitation, the progress to the next level, and the earnings with the swap behind each. */
export default function ReferralScreen() {
  const { signedIn, user } = useAccount()
  if (!signedIn || !user)
    return (
      <Screen title={m.nav_referral()}>
        <SignedOut icon="share-2" title={m.referral_signed_out()} text={m.referral_signed_out_text()} />
        <NothingForRecruiting />
      </Screen>
    )
  return <MyReferral code={user.invite_code} activated={user.activated} />
}

/** The invitation needs no response; level and earnings are the server's. The earnings come last: the list has no end. */
function MyReferral({ code, activated }: { code: string; activated: boolean }) {
  const overview = useTeamOverview()
  const { data } = overview
  return (
    <Screen title={m.nav_referral()} aside={<RefreshControl query={overview} />} action={<ShareButton code={code} />}>
      {!activated && <ActivateFirst />}
      <InviteCard code={code} />
      {data ? (
        <>
          <LevelProgress overview={data} />
          <NothingForRecruiting />
          <Earnings overview={data} />
        </>
      ) : (
        <>
          {overview.isError ? (
            <ErrorState error={overview.error} onRetry={overview.refetch} />
          ) : (
            <Pending>
              <LevelProgress overview={OVERVIEW} />
            </Pending>
          )}
          <NothingForRecruiting />
        </>
      )}
    </Screen>
  )
}

/** A share of an inactive inviter goes to the rewards: said before one invites. */
function ActivateFirst() {
  return (
    <section aria-label={m.referral_inactive()} className="flex flex-col gap-3 rounded-card border border-warn/50 p-4">
      <div className="flex flex-col gap-1">
        <p className="font-semibold">{m.referral_inactive()}</p>
        <p className="text-secondary text-muted">{m.referral_inactive_text()}</p>
      </div>
      <Link to="/{-$locale}/swap/activate" className={buttonClass('quiet', 'small')}>
        {m.nav_activate_now()}
      </Link>
    </section>
  )
}

/** Says plainly which income there is here, and that recruiting brings none. */
function NothingForRecruiting() {
  const fees = useConfig()?.fees
  return (
    <Section title={m.referral_nothing()}>
      {fees && (
        <p className="text-muted">
          {m.referral_nothing_text({
            share: formatPercent(referralPartOf(fees)),
            part: formatPercent(fees.revenue_split.referral),
            revenue: formatPercent(revenuePartOf(fees)),
          })}
        </p>
      )}
      <Link
        to="/{-$locale}/white"
        search={{ section: 'team' }}
        className="inline-flex min-h-11 items-center text-accent"
      >
        {m.referral_rules()}
      </Link>
    </Section>
  )
}

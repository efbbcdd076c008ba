import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { RefreshControl } from '@clearwell/ui/components/refresh-control.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DemoMark } from '../../account/demo-mark.tsx'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import { SearchField, SearchResults } from './member-search.tsx'
import { MemberTree } from './member-tree.tsx'
import { type Member, type TeamOverview, useFreshMembers, useTeamOverview } from './team.queries.ts'
import { OVERVIEW } from './team.samples.ts'
import { TeamCounts } from './team-counts.tsx'

/** The team below the user: its numbers, and its members by depth. */
export default function TeamScreen() {
  const { signedIn } = useAccount()
  if (signedIn) return <MyTeam />
  return (
    <Screen title={m.nav_my_team()}>
      <SignedOut icon="users" title={m.team_signed_out()} />
    </Screen>
  )
}

function MyTeam() {
  const overview = useTeamOverview()
  useFreshMembers(overview.data)
  return (
    <Screen
      title={m.nav_my_team()}
      aside={<RefreshControl query={overview} />}
      action={
        <Link to="/{-$locale}/referral" className={buttonClass()}>
          <Icon name="share-2" />
          {m.team_invite()}
        </Link>
      }
    >
      <Loaded read={overview} sample={OVERVIEW}>
        {(team) => (
          <>
            <TeamCounts overview={team} />
            <LevelLink overview={team} />
            {team.total === 0 ? (
              <EmptyState icon="users" title={m.team_empty()} text={m.team_empty_text()} />
            ) : (
              <Members overview={team} />
            )}
          </>
        )}
      </Loaded>
    </Screen>
  )
}

/** The membership level; its progress is on the referral screen. */
function LevelLink({ overview: { level, next_level_progress: next } }: { overview: TeamOverview }) {
  return (
    <Link to="/{-$locale}/referral" className="flex min-h-11 items-center justify-between gap-3">
      <span>{m.team_level({ level })}</span>
      <span className="figures flex items-center gap-1 text-secondary text-muted">
        {next ? m.team_level_progress({ n: next.leads, m: next.leads_needed }) : m.referral_top_level()}
        <Icon name="chevron-right" className="size-4" />
      </span>
    </Link>
  )
}

/** The tree, the results of a search, or the tree below a member that was found. */
function Members({ overview }: { overview: TeamOverview }) {
  const [text, setText] = useState('')
  const [top, setTop] = useState<Member>()
  const choose = (member: Member) => {
    setTop(member)
    setText('')
  }
  return (
    <Section title={m.team_members()} action={<DemoMark />}>
      <div className="flex flex-col gap-2">
        <SearchField value={text} onChange={setText} />
        {text.trim() !== '' ? (
          <SearchResults text={text} onChoose={choose} />
        ) : (
          <>
            {top && <Top member={top} onLeave={() => setTop(undefined)} />}
            <MemberTree key={top?.member_id} top={top} leads={top?.direct ?? overview.direct} />
          </>
        )}
        <p className="text-secondary text-muted">{m.team_privacy()}</p>
      </div>
    </Section>
  )
}

/** Names the member whose team is shown, and leads back to the whole. */
function Top({ member, onLeave }: { member: Member; onLeave: () => void }) {
  return (
    <div className="flex min-h-11 items-center gap-2">
      <button type="button" onClick={onLeave} className="flex min-h-11 items-center gap-1 text-accent">
        <Icon name="chevron-left" className="size-4" />
        {m.team_back_to_mine()}
      </button>
      <h3 className="min-w-0 flex-1 truncate text-end text-secondary text-muted">
        {m.team_show_theirs({ address: member.address })}
      </h3>
    </div>
  )
}

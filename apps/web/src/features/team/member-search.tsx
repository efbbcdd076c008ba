import { useDebounced } from '@clearwell/ui/browser/use-debounced.ts'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { MemberFace } from './member-face.tsx'
import type { Member } from './team.queries.ts'
import { LEADS } from './team.samples.ts'

/** Hex digits of an address that the server needs to search for it. */
const FEWEST_DIGITS = 3
const TYPING_PAUSE_MS = 250

/** The digits to search for; `undefined` while there are too few, `null` if the text cannot start an address. */
export function readAddressSearch(text: string): string | null | undefined {
  const digits = text.trim().toLowerCase().replace(/^0x/, '')
  // Also the shortened form, as the app shows and copies it.
  if (!/^[0-9a-f]*(…|\.{3})?[0-9a-f]*$/.test(digits) || digits.length > 40) return null
  const [start = ''] = digits.split(/…|\.{3}/)
  return start.length < FEWEST_DIGITS ? undefined : digits
}

/** Narrows the team while its user types. */
export function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <div className="flex items-center gap-2 rounded-control bg-input px-3 focus-within:outline-2 focus-within:outline-accent">
      <Icon name="search" className="text-muted" />
      <input
        type="search"
        aria-label={m.team_search()}
        placeholder={m.team_search()}
        value={value}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => onChange(event.target.value)}
        className="min-h-11 min-w-0 flex-1 bg-transparent outline-none placeholder:text-muted"
      />
    </div>
  )
}

/** The members of the whole team whose address begins with the text. A press shows the team below one. */
export function SearchResults({ text, onChoose }: { text: string; onChoose: (member: Member) => void }) {
  const search = readAddressSearch(text)
  if (search === null) return <NoMember />
  if (search === undefined) return <p className="py-3 text-muted">{m.team_search_hint()}</p>
  return <Found search={search} onChoose={onChoose} />
}

function Found({ search, onChoose }: { search: string; onChoose: (member: Member) => void }) {
  const settled = useDebounced(search, TYPING_PAUSE_MS)
  const members = useListCall('teamMembers', { search: settled })
  return (
    <Loaded read={members} sample={LEADS}>
      {(found) =>
        found.length === 0 && !members.hasNextPage ? (
          <NoMember />
        ) : (
          <>
            <ul aria-label={m.team_search_results()} className="flex flex-col divide-y divide-line">
              {found.map((member) => (
                <li key={member.member_id}>
                  <FoundMember member={member} onChoose={onChoose} />
                </li>
              ))}
            </ul>
            <ListEnd {...members} />
          </>
        )
      }
    </Loaded>
  )
}

function FoundMember({ member, onChoose }: { member: Member; onChoose: (member: Member) => void }) {
  if (member.direct === 0)
    return (
      <div className="flex min-h-16 items-center gap-2 py-2 pe-6">
        <MemberFace member={member} />
      </div>
    )
  return (
    <button
      type="button"
      onClick={() => onChoose(member)}
      className="flex min-h-16 w-full items-center gap-2 py-2 text-start"
    >
      <MemberFace member={member} />
      <Icon name="chevron-right" className="size-4 text-muted" />
    </button>
  )
}

function NoMember() {
  return <EmptyState icon="search" title={m.team_search_none()} text={m.team_search_none_text()} />
}

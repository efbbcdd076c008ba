import { cx } from '@clearwell/ui/browser/cx.ts'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { m } from '../../generated/messages.ts'
import { MemberFace } from './member-face.tsx'
import { type Member, useLeads } from './team.queries.ts'
import { LEAD } from './team.samples.ts'
import { moveInTree, type TreeRow } from './tree-keys.ts'

/** Deeper levels are not moved in any further: the column is narrow, and each row says its depth. */
const DEEPEST_INDENT = 4
const INDENT_REM = 0.875

interface Tree {
  readonly openIds: ReadonlySet<string>
  /** The row that the Tab key reaches. */
  readonly currentId: string | undefined
  toggle(id: string): void
  setCurrent(id: string): void
}

const TreeContext = createContext<Tree | undefined>(undefined)

function useTree(): Tree {
  const tree = useContext(TreeContext)
  if (!tree) throw new Error('useTree: outside of a MemberTree')
  return tree
}

/**
 * The team below a member, or below the user: each member opens to its direct leads, which load then, a page at a time. A
 * tree of the ARIA practices: one stop of the Tab key, and the arrows move within.
 *
 * @param leads how many direct leads the top has.
 */
export function MemberTree({ top, leads }: { top: Member | undefined; leads: number }) {
  const [openIds, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [currentId, setCurrent] = useState<string>()
  const root = useRef<HTMLDivElement>(null)
  const tree = useMemo<Tree>(
    () => ({
      openIds,
      currentId,
      toggle: (id) =>
        setOpen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
      setCurrent,
    }),
    [openIds, currentId],
  )
  useKeptPlace(root, currentId, () => setCurrent(undefined))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const rows = rowsOf(root.current)
    const at = rows.indexOf(document.activeElement as HTMLElement)
    const isPress = event.key === 'Enter' || event.key === ' '
    const move = isPress ? { toggle: true as const } : moveInTree(rows.map(rowOf), at, event.key)
    if (!move || at === -1) return
    event.preventDefault()
    if ('focus' in move) rows[move.focus]?.focus()
    else rows[at]?.click()
  }
  return (
    <TreeContext value={tree}>
      <p id="tree-keys" className="sr-only">
        {m.team_keys_hint()}
      </p>
      <div
        ref={root}
        role="tree"
        aria-label={m.team_tree()}
        aria-describedby="tree-keys"
        onKeyDown={onKeyDown}
        className="flex flex-col divide-y divide-line"
      >
        <Leads of={top} count={leads} level={1} />
      </div>
    </TreeContext>
  )
}

/** Where the row with the focus goes, as "Show more" does at the end, the row in its place gets the focus. */
function useKeptPlace(
  root: RefObject<HTMLElement | null>,
  currentId: string | undefined,
  startAgain: () => void,
): void {
  const place = useRef(0)
  useEffect(() => {
    if (currentId === undefined) return
    const rows = rowsOf(root.current)
    const at = rows.findIndex(({ tabIndex }) => tabIndex === 0)
    if (at !== -1) place.current = at
    else if (document.activeElement === document.body)
      rows[Math.min(place.current, rows.length - 1)]?.focus({ preventScroll: true })
    else startAgain()
  })
}

function rowsOf(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? [])]
}

function rowOf(row: HTMLElement): TreeRow {
  const expanded = row.getAttribute('aria-expanded')
  return {
    level: Number(row.getAttribute('aria-level')),
    expanded: expanded === null ? undefined : expanded === 'true',
    text: row.dataset.text ?? '',
  }
}

/** The direct leads of a member, each with its own below while it is open. Siblings in the page, by level for a screen reader. */
function Leads({ of, count, level }: { of: Member | undefined; count: number; level: number }): ReactNode {
  const leads = useLeads(of?.member_id)
  const { data } = leads
  if (!data) {
    if (leads.isError)
      return level === 1 ? (
        <ErrorState error={leads.error} onRetry={leads.refetch} />
      ) : (
        <ActionRow
          id={`${of?.member_id} retry`}
          level={level}
          busy={leads.isFetching}
          onPress={() => void leads.refetch()}
        >
          {m.team_leads_failed()}
        </ActionRow>
      )
    const shown = level === 1 ? Math.min(4, Math.max(1, count)) : 1
    return (
      <Pending label={m.team_loading_leads()}>
        {Array.from({ length: shown }, (_, row) => (
          // In the shape of a branch, but no item of the tree that a key could reach.
          <div key={row} style={indentOf(level)} className={ROW}>
            <Chevron isOpen={false} hasLeads />
            <MemberFace member={LEAD} />
          </div>
        ))}
      </Pending>
    )
  }
  return (
    <>
      {data.map((member, index) => (
        <Branch
          key={member.member_id}
          member={member}
          level={level}
          place={index + 1}
          siblings={count}
          isFirst={level === 1 && index === 0}
        />
      ))}
      {leads.hasNextPage && (
        <ActionRow
          id={`${of?.member_id ?? 'mine'} more`}
          level={level}
          busy={leads.isFetchingNextPage}
          onPress={() => void leads.fetchNextPage()}
        >
          {leads.isFetchNextPageError
            ? m.team_leads_failed()
            : of
              ? m.team_more({ address: of.address })
              : m.team_more_mine()}
        </ActionRow>
      )}
    </>
  )
}

function Branch({
  member,
  level,
  place,
  siblings,
  isFirst,
}: {
  member: Member
  level: number
  place: number
  siblings: number
  isFirst: boolean
}) {
  const tree = useTree()
  const id = member.member_id
  const hasLeads = member.direct > 0
  const isOpen = hasLeads && tree.openIds.has(id)
  return (
    <>
      <TreeItem
        id={id}
        level={level}
        text={member.address.replace(/^0x/, '')}
        expanded={hasLeads ? isOpen : undefined}
        place={place}
        siblings={Math.max(siblings, place)}
        isFirst={isFirst}
        onPress={() => hasLeads && tree.toggle(id)}
      >
        <Chevron isOpen={isOpen} hasLeads={hasLeads} />
        <MemberFace member={member} />
      </TreeItem>
      {isOpen && <Leads of={member} count={member.direct} level={level + 1} />}
    </>
  )
}

function Chevron({ isOpen, hasLeads }: { isOpen: boolean; hasLeads: boolean }) {
  return (
    <Icon
      name="chevron-right"
      className={cx('size-4 shrink-0 text-muted transition-transform', isOpen && 'rotate-90', !hasLeads && 'opacity-0')}
    />
  )
}

/** A row of the tree that does something, such as showing more. */
function ActionRow({
  id,
  level,
  busy,
  onPress,
  children,
}: {
  id: string
  level: number
  busy: boolean
  onPress: () => void
  children: string
}) {
  return (
    <TreeItem id={id} level={level} text="" expanded={undefined} isFirst={false} onPress={() => busy || onPress()}>
      <span className="flex min-h-11 items-center gap-2 text-accent">
        {busy && <Icon name="loader-circle" className="size-4 animate-spin" />}
        {children}
      </span>
    </TreeItem>
  )
}

const ROW = 'flex min-h-16 items-center gap-2 py-2'

function TreeItem({
  id,
  level,
  text,
  expanded,
  place,
  siblings,
  isFirst,
  onPress,
  children,
}: {
  id: string
  level: number
  /** Typing its beginning finds the row. */
  text: string
  expanded: boolean | undefined
  place?: number
  siblings?: number
  /** The first row of all: the Tab key reaches it before any other was chosen. */
  isFirst: boolean
  onPress: () => void
  children: ReactNode
}) {
  const { currentId, setCurrent } = useTree()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of its rows.
    <div
      role="treeitem"
      aria-level={level}
      aria-expanded={expanded}
      aria-posinset={place}
      aria-setsize={siblings}
      data-text={text}
      tabIndex={currentId === undefined ? (isFirst ? 0 : -1) : currentId === id ? 0 : -1}
      onFocus={() => setCurrent(id)}
      onClick={onPress}
      style={indentOf(level)}
      className={cx(ROW, expanded !== undefined && 'cursor-pointer')}
    >
      {children}
    </div>
  )
}

function indentOf(level: number): { paddingInlineStart: string } {
  return { paddingInlineStart: `${Math.min(level - 1, DEEPEST_INDENT) * INDENT_REM}rem` }
}

import type { ResponseOf } from '@clearwell/api/routes'
import type { teamRoutes } from '@clearwell/api/team.routes'
import type { PostingRow } from '@clearwell/ledger/read-postings'
import { formatAmount } from '@clearwell/money/amount'
import { HIGHEST_LEVEL, LEADS_PER_LEVEL } from '@clearwell/rules/membership'
import { leadsOf, levelOf } from '../../domain/members/memberships.ts'
import { DEFAULT_PAGE, decodeNumber, pageOf } from '../../platform/http/paging.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { shortAddress } from '../../platform/ledger/address.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import type { FollowedTeam } from './follow-team.ts'
import type { ShareStore } from './share.store.ts'
import type { TeamStore } from './team.store.ts'
import type { TeamTree } from './team-tree.ts'

/** Most addresses that one page of a search compares with the team, each in logarithmic time. */
const MAX_COMPARED = 2_000

export interface TeamDependencies {
  readonly store: TeamStore
  readonly shares: ShareStore
  readonly team: FollowedTeam
  /** The address that people open the app at. */
  readonly publicUrl: () => string
}

export function teamHandlers(deps: TeamDependencies): HandlersOf<typeof teamRoutes> {
  const { store, shares, team, publicUrl } = deps
  return {
    async teamOverview(_payload, { user }) {
      const { number, inviteCode } = await store.self(user.id)
      const [tree, row, earned] = await Promise.all([team.current(), store.membership(user.id), shares.earned(user.id)])
      const level = levelOf(row)
      return {
        ...tree.counts(number),
        level,
        next_level_progress:
          level === HIGHEST_LEVEL
            ? null
            : { level: level + 1, lead_level: level, leads: leadsOf(row)[level] ?? 0, leads_needed: LEADS_PER_LEVEL },
        invite_code: inviteCode,
        link: `${publicUrl()}/?pid=${inviteCode}`,
        earned: earned.map(({ asset, units, shares }) => ({ asset, amount: formatAmount({ asset, units }), shares })),
      }
    },

    async teamMembers({ member_id, depth = 1, search, cursor, limit = DEFAULT_PAGE }, { user }) {
      const me = (await store.self(user.id)).number
      const tree = await team.current()
      const top = member_id === undefined ? me : Number(member_id)
      if (!tree.team(me)(top)) throw refusal('not_found')
      const page = search
        ? await searchTeam(store, tree, { top, search, cursor, limit })
        : listDepth(tree, { top, depth, cursor, limit })
      return { items: await describe(store, tree, me, page.numbers), next_cursor: page.next }
    },

    async referralShares({ cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await shares.list(user.id, { after: decodePosting(cursor), limit: limit + 1 })
      const swaps = new Map((await shares.swaps(rows.map(({ reference }) => reference))).map((swap) => [swap.id, swap]))
      const toItem = (row: PostingRow) => shareItem(row, swaps.get(row.reference))
      const page = pageOf(rows, limit, toItem, (row) => `${row.entry_seq}-${row.position}`)
      const archived = page.next_cursor === null ? await shares.archivedUntil(user.id) : undefined
      return { ...page, archived_until: archived?.toISOString() ?? null }
    },
  }
}

/** A page of members by their numbers. */
interface MemberPage {
  readonly numbers: readonly number[]
  readonly next: string | null
}

/** @throws Refusal `invalid_input` for a cursor of another team. */
function listDepth(
  tree: TeamTree,
  { top, depth, cursor, limit }: { top: number; depth: number; cursor: string | undefined; limit: number },
): MemberPage {
  const decoded = decodeNumber(cursor)
  const after = decoded === undefined ? undefined : Number(decoded)
  if (after !== undefined && (after === top || !tree.team(top)(after)))
    throw invalidField('cursor', 'not a cursor of this list')
  const { found, goesOnAfter } = tree.atDepth(top, { depth, after, limit })
  return { numbers: found, next: goesOnAfter === undefined ? null : String(goesOnAfter) }
}

/** @throws Refusal `invalid_input` for fewer than three digits. */
async function searchTeam(
  store: TeamStore,
  tree: TeamTree,
  { top, search, cursor = '', limit }: { top: number; search: string; cursor: string | undefined; limit: number },
): Promise<MemberPage> {
  const match = /^(?:0x)?([0-9a-f]{3,40})(?:(?:…|\.{2,3})([0-9a-f]{1,10}))?$/.exec(search.trim().toLowerCase())
  if (!match) throw invalidField('search', 'three or more hex digits of an address')
  if (!/^(0x[0-9a-f]{40})?$/.test(cursor)) throw invalidField('cursor', 'not a cursor of this list')
  const wanted = { start: `0x${match[1]}`, end: match[2] ?? '', after: cursor }
  const compared = await store.search({ ...wanted, limit: MAX_COMPARED })
  const isInTeam = tree.team(top)
  const found: { id: string; number: number }[] = []
  for (const each of compared) {
    if (each.number !== top && isInTeam(each.number)) found.push(each)
    if (found.length > limit) break
  }
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : compared.length === MAX_COMPARED ? compared.at(-1) : undefined
  return { numbers: shown.map(({ number }) => number), next: last?.id ?? null }
}

/** Describes members in the order of their numbers' list. */
async function describe(
  store: TeamStore,
  tree: TeamTree,
  me: number,
  numbers: readonly number[],
): Promise<ResponseOf<'teamMembers'>['items']> {
  const rows = new Map((await store.describe(numbers)).map((row) => [row.number, row]))
  return numbers.flatMap((number) => {
    const row = rows.get(number)
    if (!row) return []
    return {
      member_id: String(number),
      address: shortAddress(row.id),
      depth: tree.depthBelow(me, number) ?? 0,
      activated: tree.isActivated(number),
      level: row.level,
      joined_at: row.created_at.toISOString(),
      ...tree.counts(number),
    }
  })
}

function shareItem(
  { entry_seq, position, asset, units, reference, at }: PostingRow,
  swap: { user_id: string; pool_id: string; amount_in: bigint; fee: bigint } | undefined,
): ResponseOf<'referralShares'>['items'][number] {
  if (!swap) throw new Error('a referral share without its swap')
  return {
    id: `${entry_seq}-${position}`,
    asset,
    amount: formatAmount({ asset, units }),
    transaction_id: reference,
    pool_id: swap.pool_id,
    lead: shortAddress(swap.user_id),
    sold: formatAmount({ asset, units: swap.amount_in }),
    fee: formatAmount({ asset, units: swap.fee }),
    created_at: at.toISOString(),
  }
}

function decodePosting(text: string | undefined) {
  if (text === undefined) return undefined
  const match = /^(\d{1,18})-(\d{1,6})$/.exec(text)
  if (!match) throw invalidField('cursor', 'not a cursor of this list')
  return { seq: BigInt(match[1] as string), position: Number(match[2]) }
}

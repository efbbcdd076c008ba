import type { Queryable } from '@clearwell/ledger/database'
import { type PostedRootRow, postedRoots, postId } from './posted-roots.ts'

/** Of these headers, by number and hash, returns the numbers of those that the ledger has. */
export async function findOwnHeaders(
  db: Queryable,
  headers: readonly { readonly number: bigint; readonly headerHash: string }[],
): Promise<ReadonlySet<bigint>> {
  const own = new Set<bigint>()
  for (const { number, headerHash } of headers) {
    const rows = await db.query('select 1 from proof_headers where number = $1 and hash = $2', [
      `${number}`,
      headerHash,
    ])
    if (rows.length > 0) own.add(number)
  }
  return own
}

/** Finds the last root of a vault that was posted until a time, and the one after it. */
export async function findRootsAround(
  db: Queryable,
  { vault, until }: { readonly vault: string; readonly until: Date },
): Promise<{ readonly base: PostedRootRow; readonly next: PostedRootRow | undefined } | undefined> {
  const root = `select ${postedRoots.columns} from posted_roots where vault = $1 and not is_void`
  const [base] = await db.query<PostedRootRow>(`${root} and posted_at <= $2 order by seq desc limit 1`, [vault, until])
  if (!base) return undefined
  const [next] = await db.query<PostedRootRow>(`${root} and seq > $2 order by seq limit 1`, [vault, `${base.seq}`])
  return { base, next }
}

/** Finds a root by its count of posts. */
export async function findPostedRoot(db: Queryable, vault: string, seq: bigint): Promise<PostedRootRow | undefined> {
  const text = `select ${postedRoots.columns} from posted_roots where id = $1 and not is_void`
  return (await db.query<PostedRootRow>(text, [postId(vault, seq)]))[0]
}

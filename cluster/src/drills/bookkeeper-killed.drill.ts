import type { Database } from '@clearwell/ledger/database'
import { withDatabase } from '@clearwell/sim/src/drills/site.ts'
import { type Hex, recoverAddress } from 'viem'
import { until } from '../program.ts'
import type { ClusterDrill } from './cluster-drill.ts'
import { openClusterSite } from './cluster-site.ts'
import { commandWithTransfers } from './feature-load.ts'

const SIGNED_MS = 120_000
/** Headers by each bookkeeper that the drill waits for. */
const SOME = 3n

export const drill: ClusterDrill = {
  about: 'the first of two bookkeepers is killed while users transfer out, and started again later',
  async run(ends) {
    const site = await openClusterSite(ends, { withBookkeepers: true, commandOf: commandWithTransfers })
    const { cluster } = site
    const [first, second] = cluster.bookkeepers
    if (!first || !second) throw new Error('two bookkeepers run')
    const url = await cluster.adminUrl()
    const untilSigned = (by: string, after: bigint) =>
      until(`headers signed by ${by}`, () => withDatabase(url, async (db) => (await signedBy(db, by, after)) >= SOME), {
        withinMs: SIGNED_MS,
        everyMs: 500,
      })
    await untilSigned(first.address, 0n)
    const fromMs = performance.now()
    await first.kill()
    const killedAt = await withDatabase(url, newest)
    await untilSigned(second.address, killedAt)
    await site.acknowledge()
    const toMs = performance.now()
    const secondsToRecovery = site.longestGapSince(fromMs)
    const gap = await withDatabase(url, (db) => longestGap(db, killedAt))
    await cluster.startBookkeeper(first)
    const backAt = await withDatabase(url, newest)
    await untilSigned(first.address, backAt)
    await site.acknowledge()
    const notes = `the second bookkeeper signed; at most ${gap.toFixed(1)} s between two headers; the first signs again after its start`
    return site.conclude({ fromMs, toMs }, { secondsToRecovery, notes })
  },
}

async function newest(db: Database): Promise<bigint> {
  const [row] = await db.query<{ number: bigint }>('select max(number) as number from proof_headers')
  return row?.number ?? 0n
}

/** Counts the headers after a number that a bookkeeper has signed. */
async function signedBy(db: Database, address: string, after: bigint): Promise<bigint> {
  const rows = await db.query<{ hash: Hex; signature: Hex }>(
    `select hash, book_signature as signature from proof_headers join proof_header_bodies using (id)
     where number > $1 and root_signature is not null and book_signature is not null`,
    [after.toString()],
  )
  const signers = await Promise.all(rows.map((row) => recoverAddress(row)))
  return BigInt(signers.filter((signer) => signer.toLowerCase() === address).length)
}

/** The longest time between two signed headers from a number on, in seconds. */
async function longestGap(db: Database, from: bigint): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(
    `select coalesce(max(extract(epoch from made_at - before)), 0)::float8 as seconds from (
       select number, made_at, lag(made_at) over (order by number) as before
       from (select number, h.made_at from proof_headers h join proof_header_bodies b using (id)
             where number >= $1 and root_signature is not null) signed
     ) gaps`,
    [from.toString()],
  )
  return row?.seconds ?? 0
}

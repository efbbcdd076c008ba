import type { Finding } from './alarm-codes.ts'
import type { Moment } from './follow-headers.ts'
import type { HeaderStore } from './header-store.ts'
import { readRefusals, readStatement, signerOf } from './read-sources.ts'
import { hasKey } from './vault-keys.ts'

/** The last refusals of a bookkeeper that are read. */
const MOST_REFUSALS = 100
/** The reason of `bookkeeper/src/ledger-follower.ts` for a header that was still without signatures when the ledger moved. */
const OF_LEFT = 'the header is of a vault that the ledger has left'

/** Compares the newest stored header with a bookkeeper's statement, and finds its refusals. */
export async function judgeStatements(url: string, store: HeaderStore, { vaults, nowS }: Moment): Promise<Finding[]> {
  const findings: Finding[] = []
  const { newest } = store
  // A statement that no bookkeeper of the vault has signed proves nothing.
  const isOfBookkeeper = (signer: string | undefined) =>
    vaults.some(({ keys, clock }) => hasKey(keys, 'bookkeeper', signer, { clock, timeS: nowS }))
  const statement = newest && (await readStatement(url, newest.number))
  if (statement?.signature && statement.hash !== newest?.hash && isOfBookkeeper(await signerOf(statement))) {
    const text = `a bookkeeper has signed header ${statement.number} with the hash ${statement.hash}, and the stored one has ${newest?.hash}`
    findings.push({
      key: `forked_header:${statement.number}:${statement.hash}`,
      code: 'forked_header',
      text,
      facts: { statement, stored: newest?.hash, source: url },
    })
  }
  for (const refused of (await readRefusals(url)).slice(-MOST_REFUSALS)) {
    if (!refused.refusal || !isOfBookkeeper(await signerOf(refused))) continue
    const { number, hash, refusal } = refused
    const text = `a bookkeeper refused header ${number}: ${refusal.reason}`
    const code = vaults.length > 1 && refusal.reason === OF_LEFT ? 'refused_at_move' : 'refusal'
    findings.push({
      key: `${code}:${number}:${hash}`,
      code,
      text,
      facts: { statement: refused, source: url },
    })
  }
  return findings
}

import type { PayloadInput } from '@clearwell/api/routes'
import type { Evidence, Signed } from '@clearwell/verify/verify-balance'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/client.ts'
import { fetchConfig, type WholeConfig } from '../../../api/config.ts'
import { download } from '../../../api/download.ts'
import type { ChainClaim } from './compare-with-chain.ts'
import type { Failure } from './decide-outcome.ts'
import { type KeptCheck, keptOf } from './kept-check.ts'

/** A quiet check ends at so many bytes of rows, about 10,000 of them: a phone may pay for its data. */
const QUIET_BYTES = 2_000_000
/** The hour, and so the header, may end between two calls. */
const ATTEMPTS = 2

const NATIVE = `0x${'0'.repeat(40)}`

export interface Collected {
  readonly evidence: Evidence
  /** The export of the account, as it came. */
  readonly rows: string
  /** Where the chain shows the header. */
  readonly chain: ChainClaim
}

export interface CollectOptions {
  /** In lower case. */
  readonly account: string
  readonly kept: KeptCheck | undefined
  /** Reads only the rows since the kept check, and not too many. */
  readonly isQuiet: boolean
  readonly signal: AbortSignal
}

/** Nothing can be verified, for a reason that is not the account's books. */
export class CheckProblem extends Error {
  override readonly name = 'CheckProblem'
  readonly why: Failure

  constructor(why: Failure) {
    super(why)
    this.why = why
  }
}

/**
 * Asks the server for all that a check of the account's balance needs.
 *
 * @throws CheckProblem, ApiError or NoResponseError if a part of it cannot be had.
 */
export async function collectEvidence(options: CollectOptions): Promise<Collected> {
  const config = await fetchConfig()
  // A server of the version before has no such field.
  const keys = config.proof_keys as WholeConfig['proof_keys'] | undefined
  if (keys === null) throw new CheckProblem('off')
  if (!keys) throw new CheckProblem('no_key')
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const collected = await collectOnce({ ...options, config, keys })
    if (collected) return collected
  }
  throw new CheckProblem('moved')
}

async function collectOnce({
  account,
  kept,
  isQuiet,
  signal,
  config,
  keys,
}: CollectOptions & { config: WholeConfig; keys: Evidence['keys'] }): Promise<Collected | undefined> {
  const header = (payload: PayloadInput<'proofHeader'>) => call('proofHeader', payload, { signal })
  const mine = await call('proofMine', {}, { signal })
  const [signed, newest, again] = await Promise.all([
    header({ number: Number(mine.number) }),
    header({}),
    kept ? orGone(header({ number: Number(kept.signed.number) })) : null,
  ])
  // The kept header may be of this hour, and later than this one: then the rows begin with the account.
  const isContinued = isQuiet && kept && BigInt(kept.signed.number) <= BigInt(signed.number)
  const from = isContinued ? `${BigInt(kept.signed.header.ledgerSeq) + 1n}` : '1'
  const { response } = await download('proofExport', { from: Number(from) }, { signal })
  const rows = await readText(response, isQuiet ? QUIET_BYTES : Number.POSITIVE_INFINITY)
  if (headerNumberIn(rows) !== signed.number && headerNumberIn(rows) !== undefined) return undefined
  return {
    rows,
    chain: chainClaim(config, { signed, postedAt: mine.posted_at }),
    evidence: {
      domain: { chainId: config.chain.id, vault: config.vault },
      tokens: tokensOf(config),
      account,
      keys,
      mine,
      signed,
      newest,
      kept: kept ? keptOf(kept) : null,
      again,
      from,
    },
  }
}

function chainClaim(
  { chain, check_rpc_url, vault }: WholeConfig,
  { signed, postedAt }: { readonly signed: Signed; readonly postedAt: string | null },
): ChainClaim {
  const { hash, tx_hash: txHash } = signed
  return {
    // A server of the version before names no second node.
    nodes: [chain.rpc_url, check_rpc_url].filter((node) => typeof node === 'string'),
    posted: postedAt === null || txHash === null ? undefined : { vault, hash, txHash, postedAt },
  }
}

/** The fields of a header are stored for 90 days. */
async function orGone(read: Promise<Signed>): Promise<Signed | null> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ApiError && error.codeName === 'not_found') return null
    throw error
  }
}

/** Returns the number of each asset in leaves: its token, zero for the coin, or its name in ASCII without a token, as for RT. */
function tokensOf({ assets }: WholeConfig): Record<string, string> {
  const hexOf = (letter: string) => letter.charCodeAt(0).toString(16)
  const nameOf = (asset: string) => `0x${[...asset].map(hexOf).join('').padStart(40, '0')}`
  const tokenOf = (asset: string, address: string | null) =>
    address?.toLowerCase() ?? (asset === 'BNB' ? NATIVE : nameOf(asset))
  return Object.fromEntries(assets.map(({ asset, address }) => [asset, tokenOf(asset, address)]))
}

/** Returns the number of the header in an export. Its line follows all rows. */
function headerNumberIn(rows: string): string | undefined {
  return rows.match(/^[0-9a-f]{64} \{"header":\{"number":"(\d+)"/m)?.[1]
}

/** @throws CheckProblem for more bytes than these. */
async function readText({ body }: Response, mostBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  const reader = body?.getReader()
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.length
    if (bytes > mostBytes) {
      await reader.cancel()
      throw new CheckProblem('long')
    }
    text += decoder.decode(value, { stream: true })
  }
  return text
}

import { hashLeaf } from '@clearwell/proofs/leaf'
import { hashOrder, hashPledge, treeOfPositions } from '@clearwell/proofs/positions'
import { SumTree } from '@clearwell/proofs/sum-tree'
import { hashHeader } from '@clearwell/verify/hash-header'
import type { Evidence, Signed } from '@clearwell/verify/verify-balance'
import { privateKeyToAddress, sign } from 'viem/accounts'
import { hashedLines } from '../../../domain/proofs/hashed-lines.ts'

const ROOT_KEY = `0x${'00'.repeat(31)}01` as const
export const BOOK_KEY = `0x${'00'.repeat(31)}02` as const
export const addressOf = (key: `0x${string}`) => privateKeyToAddress(key).toLowerCase()

const DOMAIN = { chainId: 31337, vault: `0x${'11'.repeat(20)}` }
const ACCOUNT = `0x${'aa'.repeat(20)}` as const
const TOKENS = { BNB: `0x${'00'.repeat(20)}`, USDT: `0x${'22'.repeat(20)}` } as const
const SALT = `0x${'5a'.repeat(32)}` as const
const PLACE = 5
const ORDER = `0x${'0d'.repeat(16)}` as const
/** 1 January 2030. */
const HEADER_TIME_S = 1_893_456_000
const NO_HASH = `0x${'00'.repeat(32)}`

/** All that a check needs, and the lines of the account's export. */
export interface HonestCheck {
  readonly evidence: Evidence
  readonly lines: string[]
}

/** The last entry that is in an archive, and its time. */
export interface Archived {
  readonly to: string
  readonly at: string
}

interface Books {
  readonly number: string
  /** Credits of USDT, one for each entry from the first on. */
  readonly credits: readonly bigint[]
  readonly hasLeaves?: boolean
  /** The account has a pledge and a loan order without collateral. */
  readonly hasPositions?: boolean
}

/** Signs a header with changed fields. The bookkeeper signs if its key is given. */
export async function signedHeader(fields: Record<string, unknown>, bookKey?: `0x${string}`): Promise<Signed> {
  const header = { ...BLANK, ...fields }
  const hash = hashHeader(header as never, { chainId: DOMAIN.chainId, verifyingContract: DOMAIN.vault })
  const by = (privateKey: `0x${string}`) => sign({ hash: hash as `0x${string}`, privateKey, to: 'hex' })
  const signatures = { root: await by(ROOT_KEY), bookkeeper: bookKey ? await by(bookKey) : null }
  return { number: header.number, hash, header, signatures, tx_hash: null }
}

/** Makes the books of one account beside another, their header, and the export of the account's rows from an entry on. */
export async function honestCheck(
  { number, credits, hasLeaves = true, hasPositions = false }: Books,
  { from = '1', start = [], archived }: { from?: string; start?: [string, string, string][]; archived?: Archived } = {},
): Promise<HonestCheck> {
  const total = credits.reduce((sum, each) => sum + each, 0n)
  const proven = hasLeaves ? [proveLeaf('BNB', 0n), proveLeaf('USDT', total)] : []
  const positions = hasPositions ? provePositions() : undefined
  const signed = await signedHeader({
    number,
    ledgerSeq: `${credits.length}`,
    ...(positions ? { positionsRoot: positions.root } : {}),
    cursorTime: HEADER_TIME_S,
    assets: Object.entries(TOKENS).map(([asset, token]) => {
      const root = proven.find(({ leaf }) => leaf.asset === asset)?.root ?? NO_HASH
      return { ...FIGURES, token, root }
    }),
  })
  const leaves = proven.map(({ leaf }) => leaf)
  return {
    evidence: {
      domain: DOMAIN,
      tokens: TOKENS,
      account: ACCOUNT,
      keys: { root: [addressOf(ROOT_KEY)], bookkeepers: [] },
      mine: { number, leaves: [...leaves, ...(positions?.leaves ?? [])] },
      signed,
      newest: signed,
      kept: null,
      again: null,
      from,
    },
    lines: linesOf({ credits, signed, leaves, positions: positions?.leaves, from, start, archived }),
  }
}

function linesOf(of: {
  credits: readonly bigint[]
  signed: Signed
  leaves: Evidence['mine']['leaves']
  positions: Evidence['mine']['leaves'] | undefined
  from: string
  start: [string, string, string][]
  archived: Archived | undefined
}): string[] {
  const { credits, signed, leaves, positions, from, start, archived } = of
  const { line, end } = hashedLines()
  const head = line({ format: 'clearwell proof 1', ...DOMAIN, tokens: TOKENS, account: ACCOUNT, from, start, archived })
  const rows = credits.flatMap((units, index) => {
    const after = credits.slice(0, index + 1).reduce((sum, each) => sum + each, 0n)
    const posting = [`${index + 1}`, 0, 'deposit', '2030-01-01T00:00:00Z', 'available', 'USDT', `${units}`, `${after}`]
    return index + 1 < Number(from) ? [] : [line({ posting })]
  })
  const { header, hash, signatures } = signed
  return [
    head,
    ...rows,
    line({ header, hash, signature: signatures.root, positions }),
    ...leaves.map((leaf) => line({ leaf })),
    end(),
  ].map((text) => text.trimEnd())
}

function proveLeaf(asset: keyof typeof TOKENS, free: bigint) {
  const tree = new SumTree()
  const leaf = (place: number, account: `0x${string}`, units: bigint) => {
    const of = { salt: SALT, account, asset: TOKENS[asset], free: units, depositedSeen: units, paidSeen: 0n }
    return { place, hash: hashLeaf(of), sum: units }
  }
  tree.set([leaf(PLACE, ACCOUNT, free), leaf(PLACE + 1, `0x${'bb'.repeat(20)}`, 7n)])
  const path = tree.path(PLACE).map(({ hash, sum }, height) => ({
    hash: `0x${hash.toString('hex')}`,
    sum: `${sum}`,
    side: (PLACE >>> height) & 1 ? 'left' : 'right',
  }))
  return {
    leaf: {
      ...{ kind: 'user' as const, asset, free: `${free}`, deposited_seen: `${free}`, paid_seen: '0' },
      ...{ salt: SALT, index: PLACE, path },
    },
    root: `0x${tree.root(TOKENS[asset]).toString('hex')}`,
  }
}

/** A pledge and a loan order of the account beside a position of another account. */
function provePositions() {
  const account = { salt: SALT, account: ACCOUNT }
  const debt = { collateralAsset: TOKENS.BNB, collateral: 0n, debtAsset: TOKENS.USDT, debtShares: 9n }
  const pledge = hashPledge({ ...account, pool: TOKENS.USDT, shares: 4n })
  const order = hashOrder({ ...account, ...debt, id: ORDER })
  const all = [pledge, order, Buffer.alloc(32, 7)]
  const tree = treeOfPositions(all)
  const sorted = all.toSorted((a, b) => a.compare(b))
  const placeOf = (leaf: Buffer) => {
    const index = sorted.indexOf(leaf)
    const path = tree.path(index).map((hash, height) => ({
      hash: `0x${hash.toString('hex')}`,
      side: (index >>> height) & 1 ? 'left' : 'right',
    }))
    return { salt: SALT, index, path }
  }
  const of = {
    order_id: ORDER.slice(2),
    collateral_asset: 'BNB',
    collateral: '0',
    debt_asset: 'USDT',
    debt_shares: '9',
  }
  return {
    root: `0x${tree.root().toString('hex')}`,
    leaves: [
      { kind: 'pledge' as const, asset: 'USDT', shares: '4', ...placeOf(pledge) },
      { kind: 'order' as const, ...of, ...placeOf(order) },
    ],
  }
}

const FIGURES = {
  ...{ token: '', root: NO_HASH, users: '0', lending: '0', payouts: '0', house: '0', locked: '0' },
  ...{ depositedSeen: '0', paidSeen: '0', exitedSeen: '0', payoutPaidSeen: '0' },
}

const BLANK = {
  ...{ number: '1', previous: NO_HASH, ledgerSeq: '0', entryHash: NO_HASH, cursorBlock: '1', cursorHash: NO_HASH },
  ...{ cursorTime: 1, positionsRoot: NO_HASH, pools: NO_HASH, rules: NO_HASH, boxDay: 1, boxRoot: NO_HASH },
  ...{ dataHash: NO_HASH, depth: 20, rtRoot: NO_HASH, rtUsers: '0', assets: [] as object[] },
}

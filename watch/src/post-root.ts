import { join } from 'node:path'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { encodeFunctionData, type Hex, keccak256, type LocalAccount, type PublicClient } from 'viem'
import { chooseFees, type Fees } from './decide-post.ts'
import { encodeHeader, type HeaderLine } from './header-lines.ts'
import { openLineLog, readLines } from './line-log.ts'

/** A transaction that may not be mined yet. It is stored before it is sent. */
interface Sent {
  readonly nonce: number
  readonly number: string
  readonly hash: Hex
  readonly raw: Hex
  readonly max_fee: string
  readonly tip: string
  readonly at_ms: number
}

export interface Poster {
  readonly address: Hex
  /** Posts a header, unless the last transaction still has its minute to be mined. @throws Error if it cannot be posted. */
  post(line: HeaderLine, vault: Hex): Promise<'sent' | 'waiting'>
  close(): Promise<void>
}

/** A transaction that is not mined after this time is replaced, in milliseconds. */
const STUCK_MS = 60_000

/**
 * Opens `posts.jsonl` of a folder.
 *
 * @param of.mostFee in wei for each unit of gas
 */
export async function openPoster(of: {
  readonly folder: string
  readonly client: PublicClient
  readonly chainId: number
  readonly account: LocalAccount
  readonly mostFee: bigint
  readonly nowMs: () => number
}): Promise<Poster> {
  const { client, account, nowMs } = of
  const path = join(of.folder, 'posts.jsonl')
  const last = (await readLines(path)).at(-1)
  let sent: Sent | undefined = last === undefined ? undefined : JSON.parse(last)
  const log = await openLineLog(path)

  /** The node may have forgotten it, or never got it: sent again, a known one changes nothing. */
  const sendAgain = ({ raw }: Sent) => client.sendRawTransaction({ serializedTransaction: raw }).catch(() => {})

  return {
    address: account.address,
    async post(line, vault) {
      const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'latest' })
      const stuck = sent?.nonce === nonce ? sent : undefined
      if (stuck && nowMs() - stuck.at_ms < STUCK_MS) {
        await sendAgain(stuck)
        return 'waiting'
      }
      const next = await signPost(of, { line, vault, nonce, stuck })
      await log.append([next])
      sent = next
      await client.sendRawTransaction({ serializedTransaction: next.raw })
      return 'sent'
    },
    close: () => log.close(),
  }
}

async function signPost(
  of: Parameters<typeof openPoster>[0],
  {
    line,
    vault,
    nonce,
    stuck,
  }: { readonly line: HeaderLine; readonly vault: Hex; readonly nonce: number; readonly stuck: Sent | undefined },
): Promise<Sent> {
  const { client, chainId, account, mostFee, nowMs } = of
  const { signed } = line
  if (!signed?.bookkeeper) throw new Error(`header ${line.number} has no two signatures`)
  const args = [encodeHeader(signed.fields), signed.root, signed.bookkeeper] as const
  const call = { abi: exitVaultAbi, functionName: 'postRoot', args } as const
  const estimate = await client.estimateContractGas({ ...call, address: vault, account, blockTag: 'latest' })
  const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
  const before: Fees | undefined = stuck && { maxFee: BigInt(stuck.max_fee), tip: BigInt(stuck.tip) }
  const fees = chooseFees({ maxFee: maxFeePerGas, tip: maxPriorityFeePerGas }, mostFee, before)
  if (!fees) throw new Error(`gas costs ${maxFeePerGas} wei, which is more than allowed`)
  const raw = await account.signTransaction({
    ...{ type: 'eip1559' as const, chainId, nonce, to: vault, data: encodeFunctionData(call) },
    // A fifth more than the estimate: the vault keeps a part in reserve for reading balances.
    ...{ gas: (estimate * 6n) / 5n, maxFeePerGas: fees.maxFee, maxPriorityFeePerGas: fees.tip },
  })
  const paid = { max_fee: `${fees.maxFee}`, tip: `${fees.tip}` }
  return { nonce, number: `${line.number}`, hash: keccak256(raw), raw, ...paid, at_ms: nowMs() }
}

import { clearwellVaultAbi as abi } from '@clearwell/vault/abi/clearwell-vault'
import { decodeFunctionData, type Hex } from 'viem'
import type { ChainCall, SentTransaction, TransactionOutcome } from '../../wallet/sent-transaction.ts'
import { vaultCalls } from '../../wallet/vault-calls.ts'

/** The wallet and its chain, for tests of payments. Records each request in words. */
export class FakeCore {
  asked: string[] = []
  native = 10n
  held = 100n
  allowance = 0n
  fee = 1n
  chainSeconds = 1_000n
  /** True if the token supports a permit. */
  hasPermit = false
  /** The result of signing a permit: an error, or nothing where the signature is not the account's own. */
  permitResponse: Error | undefined | 'signed' = 'signed'
  /** The node's objections, by function name. */
  objections: Record<string, Error> = {}
  refusal: Error | undefined
  /** Outcomes of transactions, by hash; all others succeed. */
  outcomes: Record<string, Omit<TransactionOutcome, 'hash'> & { hash?: string }> = {}
  /** The hash that the wallet gives a transaction when it speeds it up. */
  spedUp: Record<string, string> = {}

  readonly core = {
    vaultCalls,
    switchToRequiredChain: async () => {},
    readBalance: async (token: string | null) => (token === null ? this.native : this.held),
    readAllowance: async () => this.allowance,
    readChainTime: async () => this.chainSeconds,
    readPermitDomain: async () => (this.hasPermit ? { name: 'Token' } : undefined),
    signPermit: async ({ units }: { units: bigint }) => {
      this.asked.push(`permit ${units}`)
      if (this.permitResponse instanceof Error) throw this.permitResponse
      return this.permitResponse && { deadline: 99n, v: 27, r: WORD, s: WORD }
    },
    approvalCall: ({ token }: { token: string }): ChainCall => ({ to: token, data: '0x095ea7b3', value: 0n }),
    approveExact: async ({ units }: { units: bigint }): Promise<SentTransaction> => {
      this.asked.push(`approve ${units}`)
      if (this.refusal) throw this.refusal
      this.allowance = units
      return { hash: `0xa${units}` }
    },
    estimateFee: async ({ data }: ChainCall) => {
      const objection = this.objections[nameOf(data)]
      if (objection) throw objection
      return this.fee
    },
    sendTransaction: async ({ data, value }: ChainCall): Promise<SentTransaction> => {
      this.asked.push(`${nameOf(data)} ${unitsIn(data)} with ${value}`)
      if (this.refusal) throw this.refusal
      return { hash: '0xpaid', nonce: 3 }
    },
    follow: async (sent: SentTransaction, onChange: (known: SentTransaction) => void) => {
      this.asked.push(`follow ${sent.hash}${sent.nonce === undefined ? '' : ` as number ${sent.nonce}`}`)
      const hash = this.spedUp[sent.hash] ?? sent.hash
      if (hash !== sent.hash) onChange({ ...sent, hash })
      return { outcome: 'succeeded', hash, ...this.outcomes[hash] }
    },
  }
}

const WORD = `0x${'0a'.repeat(32)}`
const APPROVE = '0x095ea7b3'

function nameOf(data: string): string {
  return data === APPROVE ? 'approve' : decodeFunctionData({ abi, data: data as Hex }).functionName
}

function unitsIn(data: string): bigint {
  const { functionName, args } = decodeFunctionData({ abi, data: data as Hex })
  if (functionName === 'deposit' || functionName === 'depositWithPermit') return args[1]
  return functionName === 'withdraw' ? args[0].amount : 0n
}

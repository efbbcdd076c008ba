import type { ChainCall, SentTransaction, TransactionOutcome } from '../sent-transaction.ts'

/** The wallet and its chain, as far as payments ask for them. Calls are written down in words. */
export class FakeCore {
  asked: string[] = []
  native = 10n
  held = 100n
  allowance = 0n
  fee = 1n
  chainSeconds = 1_000n
  /** Whether the token takes a permit. */
  hasPermit = false
  /** What signing a permit comes to: an error, or nothing where the signature is not the account's own. */
  permitAnswer: Error | undefined | 'signed' = 'signed'
  /** What the node says against a call, by its first four bytes. */
  objections: Record<string, Error> = {}
  refusal: Error | undefined
  /** What becomes of a transaction, by its hash; all others succeed. */
  outcomes: Record<string, Omit<TransactionOutcome, 'hash'> & { hash?: string }> = {}
  /** The hash that the wallet gives a transaction when it speeds it up. */
  spedUp: Record<string, string> = {}

  readonly core = {
    switchToRequiredChain: async () => {},
    readBalance: async (token: string | null) => (token === null ? this.native : this.held),
    readAllowance: async () => this.allowance,
    readChainTime: async () => this.chainSeconds,
    readPermitDomain: async () => (this.hasPermit ? { name: 'Token' } : undefined),
    signPermit: async ({ units }: { units: bigint }) => {
      this.asked.push(`permit ${units}`)
      if (this.permitAnswer instanceof Error) throw this.permitAnswer
      return this.permitAnswer && { deadline: 99n, v: 27, r: '0x0a', s: '0x0b' }
    },
    approvalCall: ({ token }: { token: string }): ChainCall => ({ to: token, data: '0x095ea7b3', value: 0n }),
    approveExact: async ({ units }: { units: bigint }): Promise<SentTransaction> => {
      this.asked.push(`approve ${units}`)
      if (this.refusal) throw this.refusal
      this.allowance = units
      return { hash: `0xa${units}` }
    },
    estimateFee: async ({ data }: ChainCall) => {
      const objection = this.objections[data.slice(0, 10)]
      if (objection) throw objection
      return this.fee
    },
    sendTransaction: async ({ data, value }: ChainCall): Promise<SentTransaction> => {
      this.asked.push(`${NAMES[data.slice(0, 10)]} ${BigInt(`0x${data.slice(74, 138)}`)} with ${value}`)
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

const NAMES: Record<string, string> = {
  '0x26b3293f': 'pay',
  '0xe5cc32c6': 'pay by permit',
  '0x4e5c6e4e': 'withdraw to',
}

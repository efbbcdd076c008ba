import { useQuery } from '@tanstack/react-query'
import { useConfig } from '../api/config.ts'
import { m } from '../generated/messages.ts'
import { useWallet, wallet } from '../wallet/wallet.ts'

/**
 * How the vault gets an amount: the native coin is sent to it. Of a token it may already take enough (`allowed`), or it
 * gets a signed permit in the payment itself, or an approval before the payment.
 */
export type PayWay = 'native' | 'allowed' | 'permit' | 'approve'

const CHAIN_POLL_MS = 5_000

/**
 * The steps a payment will take, to describe them before the wallet opens; `undefined` while the chain is read. A wallet that
 * turns out to support no permit is asked for the approval.
 *
 * @param token `null` for the native coin. @param units in its own base units.
 */
export function usePayWay(token: string | null | undefined, units: bigint): PayWay | undefined {
  const allowance = useVaultAllowance(token).data
  const permit = usePermit(token).data
  if (token === undefined) return undefined
  if (token === null) return 'native'
  if (allowance === undefined || permit === undefined) return undefined
  if (units > 0n && allowance >= units) return 'allowed'
  return permit ? 'permit' : 'approve'
}

/** The wallet's requests in a few words; while the steps are unknown, the most that it may ask. */
export function payWayText(way: PayWay | undefined): string {
  switch (way) {
    case 'native':
    case 'allowed':
      return m.payment_ask_send()
    case 'permit':
      return m.payment_ask_permit()
    case 'approve':
    case undefined:
      return m.payment_ask_approve()
  }
}

/** How much of a token the vault may take from the connected wallet, in base units. */
function useVaultAllowance(token: string | null | undefined) {
  const { status, address } = useWallet()
  const vault = useConfig()?.vault
  return useQuery({
    queryKey: ['chainAllowance', { address, token, vault }],
    queryFn: async () => (await wallet()).readAllowance({ token: token ?? '', spender: vault ?? '' }),
    enabled: typeof token === 'string' && vault !== undefined && status === 'connected',
    refetchInterval: CHAIN_POLL_MS,
  })
}

/** Reads whether the token accepts a permit of the connected account. That does not change while a page is open. */
function usePermit(token: string | null | undefined) {
  const { status, address } = useWallet()
  return useQuery({
    queryKey: ['chainPermit', { address, token }],
    queryFn: async () => (await (await wallet()).readPermitDomain(token ?? '')) !== undefined,
    enabled: typeof token === 'string' && status === 'connected',
    staleTime: Number.POSITIVE_INFINITY,
  })
}

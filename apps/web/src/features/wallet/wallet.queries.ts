import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useAccountAddress } from '../../account/use-account.ts'
import { refreshPersonalData } from '../../api/query-client.ts'
import { useCall } from '../../api/use-call.ts'
import type { PayWay } from '../../vault-payment/pay-way.ts'
import { refreshChainBalances } from '../../vault-payment/payment-assets.ts'
import { type PaymentRecord, usePaymentRecords } from '../../vault-payment/payment-record.ts'
import { useWallet, wallet } from '../../wallet/wallet.ts'
import { networkFee } from './transfer-amount.ts'

const GAS_POLL_MS = 15_000
const LIMITS_POLL_MS = 30_000
/** How many orders to request when one of them is followed. */
const FOLLOWED = 50

/** This device's transfers of the account, newest first. */
export function useTransferRecords(): readonly PaymentRecord[] {
  return usePaymentRecords(useAccountAddress()).filter(({ transfer }) => transfer !== undefined)
}

/** The newest transfers in. When one is credited, all other personal data is fetched again. */
export function useTransfersIn({ pollMs }: { pollMs: number | false }) {
  const query = useCall('buyOrders', { limit: FOLLOWED }, { refetchInterval: pollMs })
  const credited = query.data?.items.filter(({ status }) => status === 'credited')
  useRefreshWith(credited?.map((order) => `${order.order_id}:${order.credited}`).join())
  return query
}

/** The newest transfers out, with their vouchers. When one is paid or returned, all personal data is fetched again. */
export function useTransfersOut({ pollMs }: { pollMs: number | false }) {
  const query = useCall('sellOrders', { limit: FOLLOWED }, { refetchInterval: pollMs })
  useRefreshWith(query.data?.items.map((order) => `${order.order_id}:${isOver(order)}`).join())
  return query
}

/** Reads the amount of an asset that the daily limits let the account transfer out now. */
export function useTransferOutLimit(asset: string) {
  const query = useCall('sellLimits', {}, { refetchInterval: LIMITS_POLL_MS })
  return query.data?.find((each) => each.asset === asset)
}

/** Returns whether a transfer out has ended. */
function isOver({ status }: { status: string }): boolean {
  return status === 'completed' || status === 'expired' || status === 'cancelled'
}

/** Fetches balances, logs and the wallet's own balance again whenever `state` changes. */
function useRefreshWith(state: string | undefined): void {
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== undefined && state !== undefined && before.current !== state) {
      void refreshPersonalData()
      void refreshChainBalances()
    }
    before.current = state
  }, [state])
}

/** The estimated network fee of a transfer, in base units of the native coin; `undefined` while it is not known. */
export function useNetworkFee(way: PayWay | 'out' | undefined): bigint | undefined {
  const { status } = useWallet()
  const { data: gasPrice } = useQuery({
    queryKey: ['gasPrice'],
    queryFn: async () => (await wallet()).readGasPrice(),
    enabled: status === 'connected',
    refetchInterval: GAS_POLL_MS,
  })
  // While the steps are unknown, the most expensive ones.
  return gasPrice === undefined ? undefined : networkFee(way ?? 'approve', gasPrice)
}

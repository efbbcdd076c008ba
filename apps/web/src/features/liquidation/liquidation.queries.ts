import type { ResponseOf } from '@clearwell/api/routes'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { type ListItem, useListCall } from '../../api/use-list-call.ts'

export type LiquidationOrder = ListItem<'liquidations'>
export type LiquidationResult = ResponseOf<'liquidate'>
export type Receipt = ResponseOf<'liquidationReceipt'>
export type SortBy = 'newest' | 'profit' | 'debt'

/** Orders leave the market within seconds, so the list is read as often as the pairs. */
const ORDERS_POLL_MS = 3_000

/** Orders to be cleared, polled. */
export function useLiquidationOrders(sort: SortBy) {
  // The server's default is newest first.
  return useListCall('liquidations', sort === 'newest' ? {} : { sort }, { refetchInterval: ORDERS_POLL_MS })
}

/** The receipt of an order; waits without an order. */
export function useReceipt(orderId: string | undefined) {
  return useCall('liquidationReceipt', { order_id: orderId ?? '' }, { enabled: orderId !== undefined })
}

/**
 * The server's time now, renewed every second, at the earliest: this device's clock may be wrong, so only the time since the
 * configuration arrived is taken from it. `undefined` before that.
 */
export function useServerNowMs(): number | undefined {
  const client = useQueryClient()
  const [deviceMs, setDeviceMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setDeviceMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const state = client.getQueryState<ResponseOf<'config'>>(['config', {}])
  if (!state?.data) return undefined
  return Date.parse(state.data.time) + Math.max(0, deviceMs - state.dataUpdatedAt)
}

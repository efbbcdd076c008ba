import type { ResponseOf } from '@clearwell/api/routes'
import { useEffect, useRef, useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { type ListItem, useListCall } from '../../api/use-list-call.ts'

export type LiquidationOrder = ListItem<'liquidations'>
export type LiquidationResult = ResponseOf<'liquidate'>
export type Receipt = ListItem<'liquidationReceipt'>
export type SortBy = 'newest' | 'profit' | 'debt'

/** Orders leave the market within seconds, so the list is read as often as the pairs. */
const ORDERS_POLL_MS = 3_000

/** Orders to be cleared, polled. */
export function useLiquidationOrders(sort: SortBy) {
  // The server's default is newest first.
  return useListCall('liquidations', sort === 'newest' ? {} : { sort }, { refetchInterval: ORDERS_POLL_MS })
}

/** The receipts of an order, newest first; waits without an order. */
export function useReceipts(orderId: string | undefined) {
  return useListCall('liquidationReceipt', { order_id: orderId ?? '' }, { enabled: orderId !== undefined })
}

/** One receipt of an order; waits without its number. */
export function useReceipt(orderId: string, liquidationId: string | undefined) {
  const payload = { order_id: orderId, liquidation_id: liquidationId ?? '' }
  return useCall('liquidationReceipt', payload, { enabled: liquidationId !== undefined })
}

/**
 * The server's time now, renewed every second: the time of its last response and what has passed on this device since, whose
 * clock may be wrong.
 *
 * @param time of the last response.
 */
export function useServerNowMs(time: string | undefined): number | undefined {
  const [deviceMs, setDeviceMs] = useState(Date.now)
  const arrival = useRef({ time, deviceMs })
  if (arrival.current.time !== time) arrival.current = { time, deviceMs: Date.now() }
  useEffect(() => {
    const timer = setInterval(() => setDeviceMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (time === undefined) return undefined
  return Date.parse(time) + Math.max(0, deviceMs - arrival.current.deviceMs)
}

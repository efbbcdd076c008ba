import type { ResponseOf } from '@clearwell/api/routes'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { useEffect } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { ACTIVE_STATUS_POLL_MS } from '../../api/polling.ts'
import { showActivation } from '../../api/query-client.ts'
import { useCall } from '../../api/use-call.ts'

/**
 * The activation that a first swap can include. `none`: the account is activated, or signed out. `with_swap`:
 * the price can be paid from the balance in the same step. `apart`: activation is closed, or a payment by wallet is in
 * progress.
 */
export type SwapActivation =
  | { readonly name: 'none' | 'loading' | 'apart' }
  | {
      readonly name: 'with_swap'
      /** Plain decimal text. */
      readonly price: string
      readonly asset: AssetId
      readonly units: bigint
    }

/** The activation that a confirmation includes. */
export type IncludedActivation = Extract<SwapActivation, { name: 'with_swap' }>

export function useSwapActivation(): SwapActivation {
  const { signedIn, user } = useAccount()
  const isInactive = signedIn && user?.activated === false
  const { data } = useCall('getActiveStatus', {}, { enabled: isInactive, refetchInterval: ACTIVE_STATUS_POLL_MS })
  const isDone = isInactive && data?.status === 2
  useEffect(() => {
    if (isDone) void showActivation()
  }, [isDone])
  return isInactive ? activationOf(data) : { name: 'none' }
}

/** @param status the server's word on an account that is not known to be activated. */
export function activationOf(
  status: Pick<ResponseOf<'getActiveStatus'>, 'status' | 'price' | 'asset' | 'opens_at'> | undefined,
): SwapActivation {
  if (status === undefined) return { name: 'loading' }
  const { price, asset } = status
  const units = parseUnits(price, ASSET_DECIMALS[asset])
  if (status.status === 2) return { name: 'none' }
  if (status.status === 1 || status.opens_at !== undefined || units === undefined) return { name: 'apart' }
  return { name: 'with_swap', price, asset, units }
}

/** The part of the sold asset's balance that the activation takes first. */
export function reservedFor(activation: SwapActivation, sold: AssetId): bigint {
  return activation.name === 'with_swap' && activation.asset === sold ? activation.units : 0n
}

/** Returns whether the account has to be activated on its own screen before it can make this swap. */
export function isApart(
  { balances, sell }: { readonly balances: readonly Holding[] | undefined; readonly sell: { readonly asset: AssetId } },
  activation: SwapActivation,
): boolean {
  if (activation.name !== 'with_swap') return activation.name === 'apart'
  // Where the price is in the sold asset, the form asks for the sum of both.
  if (activation.asset === sell.asset || balances === undefined) return false
  const held = balances.find(({ asset }) => asset === activation.asset)?.available ?? '0'
  return (parseUnits(held, ASSET_DECIMALS[activation.asset]) ?? 0n) < activation.units
}

interface Holding {
  readonly asset: string
  /** Plain decimal text. */
  readonly available: string
}

import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import type { Config } from '../../api/config.ts'
import { queryClient, refreshPersonalData } from '../../api/query-client.ts'
import { createStore, useStore } from '../../ui/store.ts'
import { PayError, type PayFailure, type PayStage, payVault } from '../../wallet/pay-vault.ts'
import type { ActivationOrder } from './activation.queries.ts'

/** What is being done about the payment of an order, and why it stopped. */
export interface Paying {
  readonly orderId: string
  readonly stage: PayStage
  readonly isRunning: boolean
  readonly failure?: { readonly reason: PayFailure; readonly detail: string }
}

/** Outside React: a payment goes on when its screen is left. */
const payingStore = createStore<Paying | undefined>(undefined)

export function usePaying(orderId: string | undefined): Paying | undefined {
  const paying = useStore(payingStore)
  return paying?.orderId === orderId ? paying : undefined
}

/**
 * Pays an order, or goes on with a payment that was sent before. The outcome is in the store, never thrown; that the
 * account is activated the server says.
 */
export async function payActivation(order: ActivationOrder, config: Config): Promise<void> {
  const { order_id: orderId } = order
  if (payingStore.get()?.isRunning) return
  const show = (stage: PayStage) => payingStore.set({ orderId, stage, isRunning: stage !== 'mined' })
  try {
    await payVault(paymentOf(order, config), show)
  } catch (error) {
    const { reason, stage, message } = error instanceof PayError ? error : new PayError('other', 'checking', error)
    payingStore.set({ orderId, stage, isRunning: false, failure: { reason, detail: message } })
  }
  void refreshPersonalData()
  void queryClient.invalidateQueries({ queryKey: ['chainBalance'] })
}

/** Whether both orders ask for the same: what was confirmed is what is paid. */
export function isAmount(order: ActivationOrder, confirmed: { amount: string; asset: string }): boolean {
  return order.asset === confirmed.asset && order.amount === confirmed.amount
}

function paymentOf(order: ActivationOrder, config: Config) {
  const asset = config.assets.find((each) => each.asset === order.asset)
  if (!asset || order.to.toLowerCase() !== config.vault.toLowerCase()) throw new PayError('call_differs', 'checking')
  return {
    orderId: order.order_id,
    token: asset.address,
    units: chainUnits(order, asset.decimals),
    vault: order.to,
    calldata: order.calldata,
    value: parseUnits(order.value, 0) ?? 0n,
  }
}

/** The amount in the token's own base units. The operator prices no finer than the token counts. */
export function chainUnits({ amount, asset }: Pick<ActivationOrder, 'amount' | 'asset'>, decimals: number): bigint {
  const units = parseUnits(amount, ASSET_DECIMALS[asset]) ?? 0n
  return units / 10n ** BigInt(ASSET_DECIMALS[asset] - decimals)
}

import { DEMO_VISITOR_KEY } from '@clearwell/api/demo-visitor'
import { generatePrivateKey } from 'viem/accounts'
import type { AccountInUse } from '../account-in-use.ts'
import { newTrader, signInByKey } from '../trader.ts'
import { type EarningIds, fillEarnings } from './fill-earnings.ts'

/** The accounts whose screens are photographed. */
export interface ShotPeople {
  /** Signed in, without any payment. */
  readonly empty: { readonly key: `0x${string}` }
  /** Has transferred in. */
  readonly notActivated: { readonly key: `0x${string}` }
  /** Activated, with nothing else done. */
  readonly newcomer: { readonly key: `0x${string}` }
  /** The visitor of the demo data, with weeks of history. */
  readonly activated: AccountInUse & EarningIds
}

/** Finds the account with a history in the demo data, and creates the others. */
export async function preparePeople(): Promise<ShotPeople> {
  const visitor = await signInByKey(DEMO_VISITOR_KEY)
  const { call } = visitor
  const earnings = await fillEarnings(visitor)
  const { items } = await call('/Wallet/buyOrders')
  const inOrder = items.find(({ status }: { status: string }) => status === 'credited')?.order_id
  const { order_id: outOrder } = await call('/Wallet/sell', { asset: 'USDT', amount: '25' })
  return {
    empty: { key: generatePrivateKey() },
    notActivated: await newTrader({ USDT: '500', BNB: '1.25', activates: false }),
    newcomer: await newTrader({ USDT: '20' }),
    activated: { key: DEMO_VISITOR_KEY, inOrder, outOrder, ...earnings },
  }
}

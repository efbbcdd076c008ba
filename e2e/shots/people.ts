import { generatePrivateKey } from 'viem/accounts'
import { type AccountInUse, accountInUse } from '../account-in-use.ts'
import { newTrader } from '../trader.ts'

/** The accounts whose screens are photographed. */
export interface ShotPeople {
  /** Signed in, without any payment. */
  readonly empty: { readonly key: `0x${string}` }
  /** Has transferred in. */
  readonly notActivated: { readonly key: `0x${string}` }
  readonly activated: AccountInUse
}

/** Creates the accounts, and other users whose activity fills lists and charts. */
export async function preparePeople(baseURL: string): Promise<ShotPeople> {
  const form = new URLSearchParams({ users: '6', days: '2', seed: '7' })
  await fetch(`${baseURL}/api/Local/seed`, { method: 'POST', body: form })
  return {
    empty: { key: generatePrivateKey() },
    notActivated: await newTrader({ USDT: '500', BNB: '1.25', activates: false }),
    activated: await accountInUse(),
  }
}

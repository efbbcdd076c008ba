import { hash } from 'node:crypto'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { PlatformConfig } from '../../config/platform-config.ts'

/** The keys of the local profile that sign headers. Everyone knows them. */
const localKey = (what: string) => `0x${hash('sha256', `clearwell local ${what}`)}` as const

/** The key of the bookkeeper that `npm start` runs beside a local server. */
export const LOCAL_BOOKKEEPER_KEY = localKey('bookkeeper')

/** Returns the account that signs headers: from `PROOF_ROOT_KEY`, or the one of the local profile. Everyone knows that one. */
export function rootAccount({ env }: Pick<PlatformConfig, 'env'>): PrivateKeyAccount {
  return env.proofRootKey === undefined
    ? privateKeyToAccount(localKey('proof root'))
    : privateKeyToAccount(env.proofRootKey)
}

/** Returns the account of the local bookkeeper. */
export function localBookkeeperAccount(): PrivateKeyAccount {
  return privateKeyToAccount(LOCAL_BOOKKEEPER_KEY)
}

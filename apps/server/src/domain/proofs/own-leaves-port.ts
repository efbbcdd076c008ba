import type { ResponseOf } from '@clearwell/api/routes'
import { definePort } from '../../platform/port.ts'

/** A leaf of a users tree. */
export type OwnLeaf = Extract<ResponseOf<'proofMine'>['leaves'][number], { kind: 'user' }>

/** The leaves of an account, as an exit needs them. */
export interface OwnLeaves {
  /**
   * Returns the account's leaves in the header with this number, with their paths. The header is of this vault, in lower case. `undefined` if the header is not stored or too old to
   * be proven, or this server makes no headers.
   */
  inHeader(account: string, number: bigint, vault: string): Promise<OwnLeaf[] | undefined>
}

export const ownLeaves = definePort<OwnLeaves>('own leaves')

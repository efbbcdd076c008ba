import type { Command } from '@clearwell/ledger/command'
import { RT_PROGRAM, TREASURY, VAULT } from './accounts.ts'

/** Creates the whole, permanent supply of RT in one entry, including the release programme's part. */
export function createRt(supply: { total: bigint; program: bigint }): Command<{ created: boolean }> {
  return {
    kind: 'create_rt',
    owner: 'genesis',
    payload: {},
    preload: [{ account: VAULT, asset: 'RT' }],
    decide(state) {
      if (state.balance(VAULT, 'RT') !== 0n) return { response: { created: false } }
      const postings = [
        { account: VAULT, asset: 'RT', units: -supply.total },
        { account: RT_PROGRAM, asset: 'RT', units: supply.program },
        { account: TREASURY, asset: 'RT', units: supply.total - supply.program },
      ]
      return { entries: [{ kind: 'rt_genesis', reference: 'genesis', postings }], response: { created: true } }
    },
  }
}

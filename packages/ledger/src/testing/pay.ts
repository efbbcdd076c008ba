import type { Command } from '../command.ts'

/** Deposits one unit: the smallest command. Its response is the reference of its entry. */
export function pay(
  key: string | undefined,
  { to = 'someone', asset = 'USDT', mark = '' }: { to?: string; asset?: string; mark?: string } = {},
): Command<{ id: string }> {
  return {
    kind: 'pay',
    owner: 'someone',
    key,
    payload: { to, asset },
    preload: [],
    decide(_state, context) {
      const id = context.id('pay') + mark
      const postings = [
        { account: 'vault', asset, units: -1n },
        { account: to, asset, units: 1n },
      ]
      return { entries: [{ kind: 'pay', reference: id, postings }], response: { id } }
    },
  }
}

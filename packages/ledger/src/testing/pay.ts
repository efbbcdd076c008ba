import type { Command } from '../command.ts'

/** Pays one unit in, as the smallest command there is. Its answer is what its entry refers to. */
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
      return { entries: [{ kind: 'pay', reference: id, postings }], answer: { id } }
    },
  }
}

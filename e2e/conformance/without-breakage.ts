import type { RowId } from './rows.ts'

/** Rows that no breakage of our code can take away, each with the reason. `npm run rows` prints them. */
export const WITHOUT_BREAKAGE: { readonly [Id in RowId]?: string } = {
  '3.20': 'the variables are in the texts themselves, which breakages leave alone',
  '3.26': 'the variables are in the texts themselves, which breakages leave alone',
  '9.29': 'viem keeps the cache; its size is no setting',
}

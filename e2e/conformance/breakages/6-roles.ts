import { drop, dropCall, never, read, set } from '../../../scripts/rows/edits.ts'
import { breaksIn } from '../breaks-in.ts'

const FEATURES = 'apps/server/src/features'
const WEB = 'apps/web/src'

/** Section 6: roles and permissions. */
export const breakages = [
  ...breaksIn(`${WEB}/api/client.ts`, {
    '6.01': dropCall('requireSession', 'requestSignIn'),
    '6.02': never('send', 'token'),
  }),
  ...breaksIn(`${FEATURES}/swap/execute-swap.ts`, { '6.03': dropCall('refuseIfClosed', 'requireActivated') }),
  ...breaksIn(`${WEB}/features/team/member-tree.tsx`, { '6.04': drop('', 'aria-level') }),
  ...breaksIn('packages/rules/src/rich-star.ts', { '6.06': set('', 'HIGHEST_STAR', '8') }),
  ...breaksIn(`${WEB}/wallet/guarded-provider.ts`, { '6.07': drop('METHODS', 'wallet_requestPermissions') }),
  ...breaksIn(`${WEB}/wallet/wallet-error.ts`, {
    '6.08': read('walletErrorText', 'connector_refused', 'connector_busy'),
  }),
  ...breaksIn(`${WEB}/features/rich/approve-sheet.tsx`, { '6.05': dropCall('', 'mutate') }),
]

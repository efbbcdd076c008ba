import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useConfig } from '../../api/config.ts'

const ExitBanner = lazyPart(() => import('./exit-banner.tsx'))

/** Part of the frame: says on every screen that the account is leaving. Without a vault with exits its code is not loaded. */
export function ExitHost() {
  const { user } = useAccount()
  const hasExits = useConfig()?.vault_exits === true
  return user && hasExits && <ExitBanner />
}

import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { useAccount } from '../../account/use-account.ts'

const FrozenBanner = lazyPart(() => import('./frozen-banner.tsx'))

/** Shows a banner while the operator has frozen the account. */
export function FrozenHost() {
  const { user } = useAccount()
  return <div role="status">{user?.frozen && <FrozenBanner frozen={user.frozen} />}</div>
}

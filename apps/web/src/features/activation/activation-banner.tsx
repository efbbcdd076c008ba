import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { useAccount } from '../../account/use-account.ts'

const InactiveCard = lazyPart(() => import('./inactive-card.tsx'))

/** Shown to an account that is not activated yet. */
export default function ActivationBanner() {
  const { user } = useAccount()
  return user?.activated === false && <InactiveCard />
}

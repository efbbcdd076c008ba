import { useAccount } from '../../account/use-account.ts'
import { lazyPart } from '../../components/lazy-part.tsx'

const InactiveCard = lazyPart(() => import('./inactive-card.tsx'))

/** Shown to an account that is not activated yet. */
export default function ActivationBanner() {
  const { user } = useAccount()
  return user?.activated === false && <InactiveCard />
}

import { StakeScreen } from '../features/stake/stake-screen.tsx'

export default function StakeRoute() {
  return <StakeScreen />
}

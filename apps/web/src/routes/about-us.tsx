import { usePayload } from '../app/payload.ts'
import { AboutUsScreen } from '../features/node/about-us-screen.tsx'

export default function AboutUsRoute() {
  const { data, error, refetch } = usePayload('/node/aboutUs')
  return <AboutUsScreen payload={data} error={error} onRetry={refetch} />
}

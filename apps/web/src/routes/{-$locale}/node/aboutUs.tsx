import { createFileRoute } from '@tanstack/react-router'
import { loadPayload, usePayload } from '../../../app/payload.ts'
import { AboutUsScreen } from '../../../features/node/about-us-screen.tsx'

export const Route = createFileRoute('/{-$locale}/node/aboutUs')({
  loader: loadPayload('/node/aboutUs'),
  component: AboutUsRoute,
})

function AboutUsRoute() {
  const { data, error, refetch } = usePayload('/node/aboutUs')
  return <AboutUsScreen payload={data} error={error} onRetry={refetch} />
}

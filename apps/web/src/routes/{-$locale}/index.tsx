import { createFileRoute } from '@tanstack/react-router'
import { HomeScreen } from '../../app/home-screen.tsx'

export const Route = createFileRoute('/{-$locale}/')({
  // Home is the first paint: it comes with the entry instead of after it.
  codeSplitGroupings: [],
  component: HomeScreen,
})

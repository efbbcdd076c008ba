import { createFileRoute } from '@tanstack/react-router'
import { SwapScreen } from '../../../features/swap/swap-screen.tsx'

export const Route = createFileRoute('/{-$locale}/swap/exchange')({
  /** `?pair=ETHUSDT` chooses a pair; without it the first one is chosen. */
  validateSearch: ({ pair }: Record<string, unknown>): { pair?: string } => (typeof pair === 'string' ? { pair } : {}),
  component: SwapRoute,
})

function SwapRoute() {
  const { pair } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <SwapScreen
      symbol={pair}
      onSymbolChange={(symbol) => navigate({ search: { pair: symbol }, replace: true, resetScroll: false })}
    />
  )
}

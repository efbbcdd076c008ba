import { createFileRoute } from '@tanstack/react-router'
import { readSearch } from '../../../app/read-search.ts'
import { SwapScreen } from '../../../features/swap/swap-screen.tsx'

export const Route = createFileRoute('/{-$locale}/swap/exchange')({
  /** `?pair=ETHUSDT` chooses a pair; without it the first one is chosen. */
  validateSearch: readPair,
  component: SwapRoute,
})

function SwapRoute() {
  const { pair } = readSearch(readPair, Route.useSearch())
  const navigate = Route.useNavigate()
  return (
    <SwapScreen
      symbol={pair}
      onSymbolChange={(symbol) => navigate({ search: { pair: symbol }, replace: true, resetScroll: false })}
    />
  )
}

function readPair({ pair }: Record<string, unknown>): { pair?: string } {
  return typeof pair === 'string' ? { pair } : {}
}

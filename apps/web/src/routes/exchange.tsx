import { useNavigate } from '@tanstack/react-router'
import { useReadSearch } from '../app/read-search.ts'
import { SwapScreen } from '../features/swap/swap-screen.tsx'
import { readSwap } from './search.ts'

export default function SwapRoute() {
  const { pair, sell, amount } = useReadSearch(readSwap)
  const navigate = useNavigate({ from: '/{-$locale}/swap/exchange' })
  return (
    <SwapScreen
      symbol={pair}
      start={{ sell, amount }}
      onSymbolChange={(symbol) => navigate({ search: { pair: symbol }, replace: true, resetScroll: false })}
    />
  )
}

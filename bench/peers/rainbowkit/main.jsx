import '@rainbow-me/rainbowkit/styles.css'
import { ConnectButton, getDefaultConfig, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { http, WagmiProvider } from 'wagmi'
import { bsc, mainnet } from 'wagmi/chains'

// The page as RainbowKit's documentation gives it, but for the nodes: browsers refuse port 9 at once, so the bench depends on
// no network and no answer of a node is part of the figure.
const REFUSED = http('http://127.0.0.1:9')
const config = getDefaultConfig({
  appName: 'RainbowKit',
  projectId: 'bench',
  chains: [mainnet, bsc],
  transports: { [mainnet.id]: REFUSED, [bsc.id]: REFUSED },
  ssr: false,
})
const queryClient = new QueryClient()

createRoot(document.getElementById('app')).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={queryClient}>
      <RainbowKitProvider>
        <h1>總資產（USDT）12,345.67</h1>
        <ConnectButton />
      </RainbowKitProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)

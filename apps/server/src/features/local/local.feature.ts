import { localRoutes } from '@clearwell/api/local.routes'
import { defineFeature } from '../../platform/feature.ts'
import { type Arbitrageur, createArbitrageur } from './arbitrageur.ts'
import { fundArbitrageur } from './fund-arbitrageur.ts'
import { localHandlers } from './local.handlers.ts'
import { seedActivity } from './seed-activity.ts'

/** The controls of the local profile, and the trader that keeps its pools near the simulated market. */
export const localFeature = defineFeature({
  name: 'local',
  routes: localRoutes,
  open({ config, clock, writer, custody, readPayments, local, onError }) {
    if (!local) throw new Error('the local controls exist in the local profile only')
    const { app, rpcUrl } = local
    const { id: chainId, confirmations } = config.chain
    const arbitrageur: Arbitrageur | undefined = config.env.arbitrage
      ? createArbitrageur({
          app,
          clock,
          async payIn(account) {
            await fundArbitrageur({ rpcUrl, chainId, confirmations, custody }, account)
            await readPayments()
          },
        })
      : undefined
    return {
      handlers: localHandlers({
        chain: local.chain,
        clock: local.clock,
        setPrice: local.setPrice,
        runDue: local.runDue,
        seed: (input) => seedActivity({ app, rpcUrl, chainId }, input),
      }),
      local: arbitrageur ? { followMarket: arbitrageur.follow } : {},
      async start() {
        if (writer.isWriting) await arbitrageur?.join().catch((error) => onError(error, 'arbitrageur'))
      },
    }
  },
})

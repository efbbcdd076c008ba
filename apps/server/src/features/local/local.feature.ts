import { localRoutes } from '@clearwell/api/local.routes'
import { marketFollowers } from '../../domain/pools/market-followers.ts'
import { defineFeature } from '../../platform/feature.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { type Arbitrageur, createArbitrageur } from './arbitrageur.ts'
import { fillDemo, hasDemo } from './fill-demo.ts'
import { fundArbitrageur } from './fund-arbitrageur.ts'
import { localHandlers } from './local.handlers.ts'
import { type ActivityContext, simulateActivity } from './simulate-activity.ts'
import { createWalletBatch } from './wallet-batch.ts'

/** A real chain makes blocks without payments too. The draw of a blind box needs one after midnight. */
const BLOCK_EVERY_MS = 300_000

/** The controls of the local profile, its demo data, and the arbitrageur that keeps its pools near the simulated market. */
export const localFeature = defineFeature({
  name: 'local',
  routes: localRoutes,
  async open({ config, db, clock, writer, custody, readPayments, local, onError }) {
    if (!local) throw new Error('the local controls exist in the local profile only')
    const { app, rpcUrl } = local
    const { id: chainId, confirmations } = config.chain
    const wallets = createWalletBatch({ rpcUrl, chainId, confirmations, custody })
    const arbitrageur: Arbitrageur | undefined = config.env.arbitrage
      ? createArbitrageur({
          app,
          clock,
          async payIn(account) {
            await fundArbitrageur({ wallets, custody }, account)
            await readPayments()
          },
        })
      : undefined
    const activity: ActivityContext = {
      app,
      clock: local.clock,
      custody,
      wallets,
      moveChain: () => local.chain.moveTo(clock.now()),
      readPayments,
      runDue: local.runDue,
      followMarket: local.checkMarket,
      stopsBetween: local.stopsBetween,
    }
    const { dataDir } = config.env
    const blocks = repeat({
      run: activity.moveChain,
      everyMs: BLOCK_EVERY_MS,
      onError: (error) => onError(error, 'local chain'),
    })
    let isDemo = await hasDemo(dataDir)
    return {
      handlers: localHandlers({
        chain: local.chain,
        clock: local.clock,
        setPrice: local.setPrice,
        runDue: local.runDue,
        stopsBetween: local.stopsBetween,
        seed: (input) => simulateActivity(activity, { ...input, from: clock.now(), hasVisitor: false }),
      }),
      provides: arbitrageur ? [marketFollowers.by(arbitrageur.follow)] : [],
      local: {
        hasDemo: () => isDemo,
        async fillDemo(size, onProgress) {
          if (!writer.isWriting) return
          const joinTrader = async () => arbitrageur?.join()
          await fillDemo({ ...activity, db, dataDir, joinTrader, findFaults: local.findFaults, onProgress }, size)
          isDemo = true
        },
      },
      async start() {
        blocks.start()
        if (writer.isWriting) await arbitrageur?.join().catch((error) => onError(error, 'arbitrageur'))
      },
      stop: blocks.stop,
    }
  },
})

import { peopleRoutes } from '@clearwell/api/local.routes'
import { DAY_MS } from '@clearwell/rules/spans'
import type { PlatformConfig } from '@clearwell/server/src/config/platform-config.ts'
import { marketFollowers } from '@clearwell/server/src/domain/pools/market-followers.ts'
import { defineFeature, type People } from '@clearwell/server/src/platform/feature.ts'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ActivitySize } from './activity-plan.ts'
import { ARBITRAGEUR_ADDRESS, createArbitrageur } from './arbitrageur.ts'
import { fillDemo, hasDemo } from './fill-demo.ts'
import { fundArbitrageur } from './fund-arbitrageur.ts'
import { type ActivityContext, simulateActivity } from './simulate-activity.ts'
import { createWalletBatch } from './wallet-batch.ts'

/**
 * The simulated people of the local profile: an arbitrageur while `ARBITRAGE` is on, the users of `POST /api/Local/seed`, and
 * those of demo data. A server opens them like a feature of its product.
 *
 * @param demo fills a new ledger with so much activity before the server listens.
 * @example
 * await startServer(config, { people: createPeople({ users: 7, days: 3, seed: 60 }) })
 */
export function createPeople(demo?: ActivitySize): (config: PlatformConfig) => People {
  return ({ env }) => ({
    feature: peopleFeature(demo),
    operatorAccounts: env.arbitrage ? [{ address: ARBITRAGEUR_ADDRESS, role: 'arbitrageur' }] : [],
    startsBackMs: demo && demo.days * DAY_MS,
  })
}

const peopleFeature = (demo: ActivitySize | undefined) =>
  defineFeature({
    name: 'people',
    about: { en: 'Simulated people of the local profile', 'zh-HK': '本機環境的模擬用戶' },
    routes: peopleRoutes,
    async open({ config, db, clock, writer, custody, readPayments, local, onError }) {
      if (!local) throw new Error('simulated people exist in the local profile only')
      const { app, rpcUrl, findFaults } = local
      const { id: chainId, confirmations } = config.chain
      const { arbitrage, dataDir } = config.env
      const wallets = createWalletBatch({ rpcUrl, chainId, confirmations, custody })
      const payIn = async (account: PrivateKeyAccount) => {
        await fundArbitrageur({ wallets, custody }, account)
        await readPayments()
      }
      const arbitrageur = arbitrage ? createArbitrageur({ app, clock, payIn }) : undefined
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
      let isDemo = await hasDemo(dataDir)
      return {
        handlers: {
          async localSeed({ users, days, seed = 1 }) {
            const size = { users, days, seed }
            const made = await simulateActivity(activity, { ...size, from: clock.now(), hasVisitor: false })
            return { ...made, time: clock.now().toISOString() }
          },
        },
        provides: arbitrageur ? [marketFollowers.by(arbitrageur.follow)] : [],
        local: {
          hasDemo: () => isDemo,
          async fillDemo(onProgress) {
            if (!demo || !writer.isWriting) return
            const joinTrader = async () => arbitrageur?.join()
            await fillDemo({ ...activity, db, dataDir, joinTrader, findFaults, onProgress }, demo)
            isDemo = true
          },
        },
        async start() {
          if (writer.isWriting) await arbitrageur?.join().catch((error) => onError(error, 'arbitrageur'))
        },
      }
    },
  })

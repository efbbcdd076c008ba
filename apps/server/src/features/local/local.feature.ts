import { localRoutes } from '@clearwell/api/local.routes'
import { defineFeature } from '../../platform/feature.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { localHandlers } from './local.handlers.ts'

/** A real chain makes blocks without payments too. The draw of a blind box needs one after midnight. */
const BLOCK_EVERY_MS = 300_000

/** The controls of the local profile: its faucet, clock and prices. The people that it simulates are in `demo/`. */
export const localFeature = defineFeature({
  name: 'local',
  about: { en: 'Controls of the local profile', 'zh-HK': '本機環境的控制' },
  routes: localRoutes,
  open({ clock, local, onError }) {
    if (!local) throw new Error('the local controls exist in the local profile only')
    const blocks = repeat({
      run: () => local.chain.moveTo(clock.now()),
      everyMs: BLOCK_EVERY_MS,
      onError: (error) => onError(error, 'local chain'),
    })
    return { handlers: localHandlers(local), start: blocks.start, stop: blocks.stop }
  },
})

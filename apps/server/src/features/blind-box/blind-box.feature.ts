import { createHash } from 'node:crypto'
import { blindBoxRoutes } from '@clearwell/api/blind-box.routes'
import { hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { operatorAddresses } from '../../config/operator-accounts.ts'
import { BOX_TABLES } from '../../domain/boxes/box.tables.ts'
import { boxConfig } from '../../domain/boxes/box-config.ts'
import { sealedItem } from '../../domain/boxes/box-item.ts'
import { boxNumbers, createNumbersOfDay } from '../../domain/boxes/box-numbers.ts'
import { boxOpening, claimOpening } from '../../domain/boxes/box-opening.ts'
import { boxSourceCursor, boxSources } from '../../domain/boxes/box-sources.store.ts'
import { feeDays } from '../../domain/boxes/fee-days.ts'
import { defineFeature } from '../../platform/feature.ts'
import { channels } from '../../platform/stream/channel.ts'
import { boxHandlers, statusHandlers } from './blind-box.handlers.ts'
import { closeDays, followDays } from './box-jobs.ts'
import { createDayPaces, createRoundPaces } from './box-paces.ts'
import type { ClickedBox } from './click-box.ts'
import { publishCommitments } from './close-day.ts'
import { stopsOfAdvance } from './local-stops.ts'
import { proofHandlers, publishedRoots, rootsChannel } from './proof.handlers.ts'
import { createSeeds } from './seeds.ts'

/** The key of the local profile. Everyone knows it, so nothing of value may be drawn with it. */
const LOCAL_KEY = createHash('sha256').update('clearwell local box seeds').digest()

/** The daily click, its draw and its reward. */
export const blindBoxFeature = defineFeature({
  name: 'blind-box',
  about: { en: 'Daily blind box with verifiable draws', 'zh-HK': '每日盲盒，抽取結果可驗證' },
  routes: blindBoxRoutes,
  config: boxConfig,
  rules: [boxOpening, claimOpening, boxNumbers],
  tables: [feeDays, boxSources, boxSourceCursor, ...BOX_TABLES],
  logKinds: ['box_reward'],
  notices: ['box_claimable', 'box_expiring'],
  open({ config, db, writer, clock, chain, notices, rules: ruled }) {
    const { allowsDraws } = config.blindBox
    const inForce = ruled.of(boxNumbers)
    const numbers = createNumbersOfDay(db, inForce)
    const operators = operatorAddresses(config)
    const rules = {
      numbers,
      operators,
      allowsDraws,
      clicks: ruled.of(boxOpening),
      claims: ruled.of(claimOpening),
    }
    const deps = { db, writer, clock, rules }
    const days = {
      db,
      writer,
      clock,
      chain,
      seeds: allowsDraws ? createSeeds(config.env.boxSeedKey ?? LOCAL_KEY) : undefined,
      allowsDraws,
      rules: inForce.now,
      confirmations: config.chain.confirmations,
      ...createDayPaces(),
    }
    const roots = publishedRoots(deps)
    return {
      handlers: { ...statusHandlers(deps), ...boxHandlers(deps), ...proofHandlers(deps), boxRoots: () => roots.read() },
      outcomes: {
        clickBox: {
          kind: 'click_box',
          read: async (box: ClickedBox) => ({ box: sealedItem(box, await numbers(box.day)) }),
        },
        claimBoxes: { kind: 'claim_boxes' },
      },
      provides: [channels.by(rootsChannel(roots))],
      jobs: [closeDays(days), followDays({ db, writer, clock, notices, paces: createRoundPaces() })],
      local: {
        async stopsBetween(from, to) {
          const rules = await numbers(hongKongDayOf(from))
          return stopsOfAdvance(db, { from, to, confirmations: days.confirmations, rules })
        },
      },
      // A new ledger commits before its first midnight, however soon that is.
      onLeader: () => publishCommitments(days),
    }
  },
})

import { nodeRoutes } from '@clearwell/api/node.routes'
import { operatorAddresses } from '../../config/operator-accounts.ts'
import { boxConfig } from '../../domain/boxes/box-config.ts'
import { boxNumbers, createNumbersOfDay } from '../../domain/boxes/box-numbers.ts'
import { boxOpening } from '../../domain/boxes/box-opening.ts'
import { defineFeature } from '../../platform/feature.ts'
import { nodeHandlers } from './node.handlers.ts'

/** My node: power and income of the blind boxes, which the feature `blind-box` makes and divides. */
export const nodeFeature = defineFeature({
  name: 'node',
  about: { en: 'My node: power, streak, income', 'zh-HK': '我的節點：算力、連續點擊日數、收益' },
  routes: nodeRoutes,
  config: boxConfig,
  open: ({ config, db, clock, rules }) => ({
    handlers: nodeHandlers({
      db,
      clock,
      opening: rules.of(boxOpening),
      numbers: createNumbersOfDay(db, rules.of(boxNumbers)),
      operators: operatorAddresses(config),
    }),
  }),
})

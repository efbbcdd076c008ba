import type { OpeningWindow } from '@clearwell/rules/opening-hours'
import { amount, isAbove } from '../../config/fields.ts'
import { openingRule } from '../../platform/rules/opening-rule.ts'
import { defineRule } from '../../platform/rules/rule.ts'
import { amountPart } from '../../platform/rules/rule-parts.ts'

interface ActivationValues {
  readonly activation: { readonly amount: string; readonly opening: OpeningWindow }
}

/** The price of an activation. An open order keeps its own. */
export const activationPrice = defineRule<string, ActivationValues>({
  key: 'activation-price',
  configKeys: ['activation.amount'],
  title: { en: 'Price of activation', 'zh-HK': '啟用帳戶的費用' },
  role: 'owner',
  schema: amount,
  read: ({ activation }) => activation.amount,
  worsens: (before, after) => isAbove(after, before),
  fault: (value) => (isAbove(value, '0') ? undefined : 'must be above zero'),
  parts: [amountPart({ en: 'Price', 'zh-HK': '費用' }, 'USDT', (value) => value)],
})

export const activationOpening = openingRule<ActivationValues>({
  key: 'activation-opening',
  configKey: 'activation.opening',
  title: { en: 'Opening times of activation', 'zh-HK': '啟用帳戶的開放時間' },
  read: ({ activation }) => activation.opening,
})

import type { OpeningWindow } from '@clearwell/rules/opening-hours'
import { openingRule } from '../../platform/rules/opening-rule.ts'

export const boxOpening = openingRule({
  key: 'box-opening',
  configKey: 'blindBox.opening',
  title: { en: 'Opening times of the blind box', 'zh-HK': '盲盒開放時間' },
  read: ({ blindBox }: { readonly blindBox: { readonly opening: OpeningWindow } }) => blindBox.opening,
})

export const claimOpening = openingRule({
  key: 'claim-opening',
  configKey: 'claim.opening',
  title: { en: 'Opening times of claims', 'zh-HK': '領取獎勵的開放時間' },
  read: ({ claim }: { readonly claim: { readonly opening: OpeningWindow } }) => claim.opening,
})

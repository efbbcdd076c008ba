import { isAddress } from 'viem'
import type { Kit } from '../kit.ts'
import type { Translate } from '../texts.ts'
import { field } from './elements.ts'

/** Names of the assets, in the order of a header. */
export const ASSETS: readonly string[] = ['BNB', 'USDT', 'ETH']

/** The parts of the page get the kit, its texts and its times. */
export interface View {
  readonly kit: Kit
  readonly t: Translate
  readonly time: (seconds: number) => string
  /** Hands out this page with the user's proof in it. */
  readonly saveCopy: () => void
}

/** Returns the fault of an address that was typed, if it has one. */
export function faultOf(address: string, t: Translate): string | undefined {
  return address === '' || isAddress(address) ? undefined : t('field_bad_address')
}

/** The field for the address that receives the money. */
export function destinationField({ kit, t }: View): HTMLElement {
  const { to } = kit.state.fields
  const texts = { label: t('finish_to'), hint: t('finish_to_text') }
  return field({ id: 'to', ...texts, value: to, class: 'address', fault: faultOf(to, t) }, (value) => {
    void kit.setField('to', value)
  })
}

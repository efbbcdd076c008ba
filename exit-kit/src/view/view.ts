import { isAddress } from 'viem'
import type { Kit } from '../kit.ts'
import type { Translate } from '../texts.ts'

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

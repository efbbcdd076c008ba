import type { Answer } from '@clearwell/api/routes'
import { m } from '../../generated/paraglide/messages.js'

/** Where one's money stands: an account of the ledger, or pledged, which is a claim on a lending pool. */
export type Place = Answer<'summary'>['by_place'][number]['place']

const NAMES: Record<Place, () => string> = {
  available: m.history_place_available,
  locked: m.history_place_locked,
  pledged: m.history_place_pledged,
  collateral: m.history_place_collateral,
  rt_deposit: m.history_place_rt_deposit,
}

export function placeName(place: Place): string {
  return NAMES[place]()
}

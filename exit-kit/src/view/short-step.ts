import { formatUnits } from 'viem'
import { noteShort } from '../calls.ts'
import { SILENCE_S } from '../end-state.ts'
import type { ShortAsset } from '../read-vault.ts'
import { callCard, howToSend } from './call-card.ts'
import { h } from './elements.ts'
import { ASSETS, type View } from './view.ts'

/** All assets of the vault have 18 decimals. */
const DECIMALS = 18

/** Assets of which the vault holds less than it owes. The 30 days to the end count from the note on the chain. */
export function shortStep(view: View): HTMLElement | undefined {
  const { reading } = view.kit.state
  if (typeof reading !== 'object' || reading.kind !== 'read' || reading.vault.short.length === 0) return undefined
  const { short, balances } = reading.vault
  const tokens = [...balances.keys()]
  return h(
    'section',
    { id: 'short', 'aria-labelledby': 'short-title' },
    h('h2', { id: 'short-title' }, view.t('short_title')),
    ...short.map((each) => assetCard(view, each, ASSETS[tokens.indexOf(each.token)] ?? each.token)),
  )
}

function assetCard(view: View, { token, held, owed, since }: ShortAsset, asset: string): HTMLElement {
  const { t, time } = view
  const id = `note-short-${asset}`
  const amounts = { asset, held: formatUnits(held, DECIMALS), owed: formatUnits(owed, DECIMALS) }
  return h(
    'div',
    { class: 'asset' },
    h('h3', {}, asset),
    h('p', { class: 'warn' }, t('short_says', amounts)),
    h('p', {}, since === 0 ? t('short_note') : t('short_noted', { time: time(since), until: time(since + SILENCE_S) })),
    since === 0 && howToSend(view),
    since === 0 && callCard(view, id, noteShort(token)),
  )
}

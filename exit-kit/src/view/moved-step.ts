import { getAddress } from 'viem'
import { describeMove } from '../describe-move.ts'
import { button, h } from './elements.ts'
import type { View } from './view.ts'

/** After a move of the ledger: which vault the account leaves by. */
export function movedStep({ kit, t, time }: View): HTMLElement | undefined {
  const { reading } = kit.state
  if (typeof reading !== 'object' || reading.kind !== 'read') return undefined
  const moved = describeMove(reading.vault)
  if (!moved) return undefined
  const vault = 'vault' in moved ? getAddress(moved.vault) : ''
  const at = 'requestedAt' in moved ? time(moved.requestedAt) : ''
  const isOther = moved.kind === 'none' || moved.kind === 'earlier'
  return h(
    'section',
    { id: 'moved', 'aria-labelledby': 'moved-title' },
    h('h2', { id: 'moved-title' }, t('moved_title')),
    h('p', { class: 'warn' }, t(`moved_${moved.kind}`, { vault, time: at })),
    isOther &&
      button(t(moved.kind === 'none' ? 'moved_use_next' : 'moved_use_earlier'), () => void kit.useVault(vault), {
        id: 'use-vault',
        class: 'primary wide',
      }),
  )
}

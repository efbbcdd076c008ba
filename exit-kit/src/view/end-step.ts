import type { Hex } from 'viem'
import { completeEnd, startEnd } from '../calls.ts'
import { callCard, howToSend } from './call-card.ts'
import { h } from './elements.ts'
import type { View } from './view.ts'

/** The end of the vault, once anyone can begin it, until it is complete. */
export function endStep(view: View): HTMLElement | undefined {
  const { kit, t, time } = view
  const { reading } = kit.state
  if (typeof reading !== 'object' || reading.kind !== 'read') return undefined
  const { end, now } = reading.vault
  if (end.step === 'open' && now >= end.startAt)
    return section(
      view,
      h('p', {}, t('end_due')),
      howToSend(view),
      callCard(view, 'start-end', startEnd(end.token as Hex)),
    )
  if (end.step !== 'ending') return undefined
  const isDue = now >= end.endAt
  return section(
    view,
    h('p', {}, isDue ? t('end_complete') : t('end_wait', { time: time(end.endAt) })),
    isDue && howToSend(view),
    isDue && callCard(view, 'complete-end', completeEnd()),
  )
}

function section({ t }: View, ...children: readonly (Node | false)[]): HTMLElement {
  return h(
    'section',
    { id: 'end', 'aria-labelledby': 'end-title' },
    h('h2', { id: 'end-title' }, t('end_title')),
    ...children,
  )
}

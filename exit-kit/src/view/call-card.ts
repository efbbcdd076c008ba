import { addressOf, type VaultCall } from '../calls.ts'
import { domainOf } from '../kit.ts'
import { EXPLAINED, type Refusal } from '../refusals.ts'
import type { SendOutcome } from '../wallet.ts'
import { button, copyButton, h } from './elements.ts'
import { qrCode } from './qr-code.ts'
import type { View } from './view.ts'

/** A transaction to paste into any wallet, as a QR code where it is short, and with a button where the browser has a wallet. */
export function callCard(view: View, id: string, call: VaultCall): HTMLElement {
  const { kit, t } = view
  const domain = domainOf(kit.state)
  if (!domain) return h('p', { class: 'muted' }, t('data_none'))
  const { provider, sent } = kit.state
  const outcome = sent.get(id)
  const to = call.to ?? domain.vault
  return h(
    'div',
    { class: 'call', 'data-call': id },
    provider &&
      button(t('send'), () => void kit.send(id, call), {
        ...{ id: `${id}-send`, class: 'primary wide', disabled: outcome === 'waiting' },
      }),
    h('div', { id: `${id}-says`, class: 'says', role: 'status' }, outcome !== undefined && outcomeText(view, outcome)),
    h(
      'dl',
      {},
      h('dt', {}, t(call.to ? 'call_to_claims' : 'call_to')),
      h('dd', { class: 'address', 'data-to': '' }, to),
    ),
    h('dl', {}, h('dt', {}, t('call_value')), h('dd', { class: 'mono' }, '0')),
    h(
      'dl',
      {},
      h('dt', {}, t('call_data')),
      h('dd', { class: 'mono data', 'data-calldata': '', tabindex: 0 }, call.data),
    ),
    h(
      'div',
      { class: 'buttons' },
      copyButton(t('call_data_copy'), t('copied'), call.data),
      copyButton(t('call_to_copy'), t('copied'), to),
    ),
    codeOf(view, id, addressOf(call, domain)),
  )
}

/** How to send the calls of a step. */
export function howToSend({ kit, t }: View): HTMLElement {
  return h(
    'div',
    { class: 'how small muted' },
    !kit.state.provider && h('p', {}, t('send_none')),
    h('p', {}, t('call_how')),
  )
}

function codeOf({ t }: View, id: string, address: string | undefined): HTMLElement {
  const content = address === undefined ? h('p', { class: 'muted' }, t('call_qr_long')) : qrCode(address, t('call_qr'))
  return h('details', { id: `${id}-qr` }, h('summary', {}, t('call_qr')), content)
}

function outcomeText({ kit, t }: View, outcome: SendOutcome | 'waiting'): HTMLElement {
  const { fields } = kit.state
  const warn = (text: string) => h('p', { class: 'warn' }, text)
  if (outcome === 'waiting') return h('p', { class: 'muted' }, t('send_waiting'))
  switch (outcome.kind) {
    case 'sent':
      return h('p', { class: 'done' }, `✓ ${t('send_sent', { hash: outcome.hash })}`)
    case 'other_account':
      return warn(t('send_other_account', { account: outcome.account, expected: fields.account }))
    case 'chain':
      return warn(t('send_chain', { chain: fields.chainId }))
    case 'refused':
      return warn(t('refused', { reason: reasonOf(t, outcome.refusal) }))
    case 'rejected':
      return warn(t('send_rejected'))
    case 'failed':
      return warn(t('send_failed', { reason: outcome.reason.slice(0, 200) }))
    default:
      return outcome satisfies never
  }
}

function reasonOf(t: View['t'], refusal: Refusal | undefined): string {
  if (!refusal) return t('refused_silent')
  const known = EXPLAINED.find((name) => name === refusal.name)
  return known ? t(`refused_${known}`) : t('refused_other', { name: refusal.name })
}

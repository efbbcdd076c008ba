import { formatUnits, type Hex, isAddress } from 'viem'
import { cancelExit, finishExit, requestExit } from '../calls.ts'
import type { PathFault, ProvenLeaf } from '../check-paths.ts'
import { amountUnder, describeExit, type ExitState } from '../exit-state.ts'
import { callCard, howToSend } from './call-card.ts'
import { claimStep } from './claim-step.ts'
import { amountRow, h } from './elements.ts'
import { endStep } from './end-step.ts'
import { movedStep } from './moved-step.ts'
import { shortStep } from './short-step.ts'
import { destinationField, type View } from './view.ts'

/** All assets of the vault have 18 decimals. */
const DECIMALS = 18

/** The four steps, missing money, the end of the vault, and staying after all. After the end: the check and the claim. */
export function steps(view: View): HTMLElement[] {
  const { reading } = view.kit.state
  if (typeof reading === 'object' && reading.kind === 'read' && reading.vault.end.step === 'ended')
    return [checkStep(view), claimStep(view)]
  const exit = exitOf(view)
  const [moved, short, end] = [movedStep(view), shortStep(view), endStep(view)]
  const all = [
    ...(moved ? [moved] : []),
    checkStep(view),
    requestStep(view, exit),
    waitStep(view, exit),
    finishStep(view, exit),
    ...(short ? [short] : []),
    ...(end ? [end] : []),
  ]
  // Without an open exit there is nothing to cancel.
  return exit?.step === 'none' ? all : [...all, cancelStep(view)]
}

/** The exit by the vault's slot; `undefined` while that is unknown. */
function exitOf({ kit }: View): ExitState | undefined {
  const { reading } = kit.state
  if (reading === undefined || reading === 'reading' || reading.kind === 'unknown') return undefined
  return describeExit(reading.vault.account, reading.vault.now)
}

function step(
  id: string,
  number: string,
  title: string,
  ...children: readonly (Node | undefined | false)[]
): HTMLElement {
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, h('span', { class: 'number', 'aria-hidden': 'true' }, number), title),
    ...children,
  )
}

type Mark = 'right' | 'wrong' | 'unknown'
const SIGNS: Readonly<Record<Mark, string>> = { right: '✓', wrong: '✕', unknown: '?' }

function line({ t }: View, mark: Mark, text: string): HTMLElement {
  const sign = h('span', { class: `sign ${mark}`, role: 'img', 'aria-label': t(`check_${mark}`) }, SIGNS[mark])
  return h('li', {}, sign, h('span', {}, text))
}

function checkStep(view: View): HTMLElement {
  const { kit, t, time } = view
  const { check, base, endBase, data } = kit.state
  if (!check) return step('check', '1', t('step_check'), h('p', { class: 'muted' }, t('data_none')))
  const markOf = (fault: PathFault): Mark => (check.faults.includes(fault) ? 'wrong' : 'right')
  const { rootKey, bookkeeper } = check
  const paidBy = [base, endBase].find((each) => each?.kind === 'found')?.paidBy
  const posted = paidBy?.signed.hash === check.signed.hash ? paidBy : undefined
  const lines = [
    line(view, markOf('hash'), t('check_hash')),
    line(view, markOf('path'), t('check_path')),
    rootKey
      ? line(view, 'right', t('check_root_signature', { key: shortened(rootKey) }))
      : line(view, 'wrong', t('check_root_signature_none')),
    bookkeeper
      ? line(view, 'right', t('check_bookkeeper_signature', { key: shortened(bookkeeper) }))
      : line(view, 'wrong', t('check_bookkeeper_signature_none')),
    posted
      ? line(view, 'right', t('check_slot_at', { time: time(posted.postedAt) }))
      : line(view, 'unknown', t('check_slot')),
  ]
  const leaves = check.leaves.map(({ leaf }) => amountRow(leaf.asset, formatUnits(BigInt(leaf.free), DECIMALS)))
  return step(
    'check',
    '1',
    t('step_check'),
    h('ul', { class: 'lines' }, ...lines),
    h('h3', {}, t('data_leaf')),
    h('dl', { class: 'amounts' }, ...leaves.flat()),
    base && h('p', { id: 'base', class: base.kind === 'found' ? 'muted' : 'warn' }, baseText(view)),
    data.paths.length === 0 && h('p', { class: 'warn' }, t('data_none')),
  )
}

const shortened = (address: string) => `${address.slice(0, 8)}…${address.slice(-6)}`

function baseText({ kit, t, time }: View): string {
  const { base, reading, check } = kit.state
  if (!base || typeof reading !== 'object' || reading.kind !== 'read') return ''
  const { vault } = reading
  const exit = describeExit(vault.account, vault.now)
  switch (base.kind) {
    case 'found':
      return t(exit.step === 'none' || exit.step === 'open' ? 'base_now' : 'base_found')
    case 'not_posted':
      return t('base_not_posted', { count: base.count })
    case 'too_new':
      return t('base_too_new', { time: exit.step === 'none' ? '' : time(exit.baseAt) })
    case 'too_old':
      return t('base_too_old', { number: base.number ?? '' })
    case 'header_needed':
      return t('base_header_needed', { number: check?.signed.number ?? '' })
    case 'earlier_needed':
      return t('base_earlier_needed', { seq: base.seq })
    case 'below_floor':
      return t('base_below_floor')
    case 'frozen':
      return t('base_frozen', { time: time(base.until) })
    default:
      return base satisfies never
  }
}

function requestStep(view: View, exit: ExitState | undefined): HTMLElement {
  const { t, time } = view
  const isOpen = exit !== undefined && exit.step !== 'none'
  const { reading } = view.kit.state
  const hasMoved = typeof reading === 'object' && reading.kind === 'read' && reading.vault.end.step === 'moved'
  return step(
    'request',
    '2',
    t('step_request'),
    h('p', { class: 'muted' }, t('request_text')),
    ...(isOpen
      ? [h('p', {}, `✓ ${t('request_done', { time: time(exit.requestedAt) })}`)]
      : hasMoved
        ? [h('p', {}, t('moved_no_request'))]
        : [howToSend(view), callCard(view, 'request', requestExit())]),
  )
}

function waitStep({ t, time }: View, exit: ExitState | undefined): HTMLElement {
  if (!exit || exit.step === 'none')
    return step('wait', '3', t('step_wait'), h('p', { class: 'muted' }, t('wait_none')))
  return step(
    'wait',
    '3',
    t('step_wait'),
    h('p', {}, t('wait_base', { time: time(exit.baseAt) })),
    h('p', {}, t('wait_ready', { time: time(exit.readyAt) })),
    h('p', { class: 'muted' }, t(`wait_now_${exit.step}`)),
  )
}

function finishStep(view: View, exit: ExitState | undefined): HTMLElement {
  const { kit, t, time } = view
  const { fields, base, check } = kit.state
  const says =
    !exit || !base || base.kind !== 'found'
      ? h('p', { class: 'muted' }, base && base.kind !== 'found' ? baseText(view) : t('finish_read'))
      : exit.step !== 'none' &&
        exit.step !== 'ready' &&
        h('p', { class: 'muted' }, t('finish_early', { time: time(exit.readyAt) }))
  return step(
    'finish',
    '4',
    t('step_finish'),
    destinationField(view),
    says,
    base?.kind === 'found' && isAddress(fields.to) && howToSend(view),
    ...(base?.kind === 'found' && check ? check.leaves.map((leaf) => assetCard(view, leaf)) : []),
  )
}

/** One payment, once for each asset. */
function assetCard(view: View, proven: ProvenLeaf): HTMLElement | undefined {
  const { kit, t } = view
  const { base, reading, fields } = kit.state
  if (base?.kind !== 'found' || typeof reading !== 'object' || reading.kind !== 'read') return undefined
  const { asset } = proven.leaf
  const slot = reading.vault.balances.get(proven.token.toLowerCase())
  const amount = slot ? amountUnder(proven.leaf, slot) : 0n
  if (amount === 0n) return h('p', { id: `finish-${asset}` }, `✓ ${t('finish_nothing', { asset })}`)
  const isReady = isAddress(fields.to)
  const { earlier, unfrozen } = base
  return h(
    'div',
    { id: `finish-${asset}`, class: 'asset' },
    h('h3', {}, t('finish_asset', { asset })),
    h('dl', { class: 'amounts' }, ...amountRow(t('finish_amount'), `${formatUnits(amount, DECIMALS)} ${asset}`)),
    isReady
      ? callCard(
          view,
          `finish-${asset}`,
          finishExit({ base: base.base, earlier, unfrozen, leaf: proven, to: fields.to as Hex }),
        )
      : h('p', { class: 'muted' }, t('finish_needs_to')),
  )
}

function cancelStep(view: View): HTMLElement {
  const { t } = view
  return h(
    'details',
    { id: 'cancel' },
    h('summary', {}, t('step_cancel')),
    h('p', { class: 'muted' }, t('cancel_text')),
    callCard(view, 'cancel', cancelExit()),
  )
}

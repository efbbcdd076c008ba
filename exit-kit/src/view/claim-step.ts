import { formatUnits, type Hex, isAddress } from 'viem'
import { claimAfterEnd } from '../calls.ts'
import type { ProvenLeaf } from '../check-paths.ts'
import { type EndMoney, partOf, paymentOf } from '../end-state.ts'
import { amountUnder } from '../exit-state.ts'
import type { EndBase } from '../find-end-base.ts'
import { buildFaultKey } from '../texts.ts'
import { callCard, howToSend } from './call-card.ts'
import { amountRow, button, field, h } from './elements.ts'
import { ASSETS, destinationField, type View } from './view.ts'

const DECIMALS = 18

/** The account's claims after the end, asset by asset. */
export function claimStep(view: View): HTMLElement {
  const { kit, t } = view
  const { endBase, fields, check } = kit.state
  const isFound = endBase?.kind === 'found' && check?.signed.hash === endBase.paidBy.signed.hash
  const cards = isFound ? claimsOf(view, endBase, check.leaves) : []
  return h(
    'section',
    { id: 'claim', 'aria-labelledby': 'claim-title' },
    h('h2', { id: 'claim-title' }, h('span', { class: 'number', 'aria-hidden': 'true' }, '2'), t('claim_title')),
    h('p', { class: 'muted' }, t('claim_text')),
    endBase && !isFound && h('p', { id: 'claim-says', class: 'warn' }, endText(view, endBase)),
    (endBase?.kind === 'paths_needed' || (isFound && missingOf(view).length > 0)) && buildPart(view),
    isFound && destinationField(view),
    isFound && isAddress(fields.to) && howToSend(view),
    ...cards,
  )
}

function endText({ t }: View, base: EndBase): string {
  switch (base.kind) {
    case 'header_needed':
      return t('claim_header_needed', { number: base.number })
    case 'earlier_needed':
      return t('base_earlier_needed', { seq: base.seq })
    case 'below_floor':
      return t('base_below_floor')
    case 'paths_needed':
    case 'found':
      return t('claim_paths_needed', { number: base.paidBy.signed.number })
    default:
      return base satisfies never
  }
}

type Found = Extract<EndBase, { kind: 'found' }>
type Claimed = ProvenLeaf | { readonly token: Hex; readonly leaf?: undefined }

/** Each asset of the last root: by its leaf, or without one where the first deposit came later. */
function claimsOf(view: View, base: Found, leaves: readonly ProvenLeaf[]): HTMLElement[] {
  const { reading } = view.kit.state
  if (typeof reading !== 'object' || reading.kind !== 'read' || !reading.vault.claims) return []
  const { balances, claims } = reading.vault
  const { header } = base.paidBy.signed
  return header.assets.flatMap(({ token = '' }, i) => {
    const asset = ASSETS[i] ?? token
    const slot = balances.get(token.toLowerCase())
    const money = claims.money.get(token.toLowerCase())
    const leaf = leaves.find((each) => each.token === token)
    const isLater = slot !== undefined && BigInt(slot.firstDeposit) > BigInt(header.cursorBlock)
    if (!slot || !money || (!leaf && !isLater)) return []
    const claimed: Claimed = leaf ?? { token: token as Hex }
    const amount = amountUnder(leaf?.leaf ?? { free: '0', deposited_seen: '0', paid_seen: '0' }, slot)
    return [assetCard(view, { asset, amount, money, claimed, base, claims: claims.address })]
  })
}

interface Card {
  readonly asset: string
  readonly amount: bigint
  readonly money: EndMoney
  readonly claimed: Claimed
  readonly base: Found
  readonly claims: Hex
}

function assetCard(view: View, { asset, amount, money, claimed, base, claims }: Card): HTMLElement {
  const { kit, t } = view
  const { to } = kit.state.fields
  const id = `claim-${asset}`
  if (amount === 0n) return h('p', { id }, `✓ ${t('finish_nothing', { asset })}`)
  const units = (value: bigint) => `${formatUnits(value, DECIMALS)} ${asset}`
  const payment = paymentOf(amount, money)
  const { root, earlier } = base
  return h(
    'div',
    { id, class: 'asset' },
    h('h3', {}, t('finish_asset', { asset })),
    h('p', { id: `${id}-part` }, partText(view, { asset, money })),
    h(
      'dl',
      { class: 'amounts' },
      ...amountRow(t('claim_amount'), units(amount)),
      ...amountRow(t('claim_payment'), units(payment)),
    ),
    !money.isFixed && h('p', { class: 'muted' }, t('claim_open', { asset })),
    isAddress(to)
      ? callCard(view, id, claimAfterEnd({ claims, root, earlier, leaf: claimed, to: to as Hex }))
      : h('p', { class: 'muted' }, t('finish_needs_to')),
  )
}

function partText({ t }: View, { asset, money }: { readonly asset: string; readonly money: EndMoney }): string {
  const part = partOf(money)
  if (money.owed <= money.held) return t('claim_full', { asset })
  const [held, owed] = [money.held, money.owed].map((value) => formatUnits(value, DECIMALS))
  return t('claim_part', { asset, held: held ?? '', owed: owed ?? '', percent: formatUnits(BigInt(part), 2) })
}

const missingOf = ({ kit }: View) => (kit.state.build?.kind === 'built' ? kit.state.build.missing : [])

/** Paths from the published proof data and keys. */
function buildPart(view: View): HTMLElement {
  const { kit, t } = view
  const { published, build, isLoading } = kit.state
  const isReady = published.keys !== undefined && published.files.length > 0 && build?.kind !== 'reading' && !isLoading
  return h(
    'div',
    { id: 'build', class: 'asset' },
    h('h3', {}, t('build_title')),
    h('p', { class: 'muted' }, t('build_text')),
    h('p', { id: 'build-files' }, t(published.files.length > 0 ? 'build_data' : 'build_data_none')),
    h('p', { id: 'build-keys' }, t(published.keys ? 'build_keys' : 'build_keys_none')),
    h('div', { id: 'build-says', class: 'says', role: 'status' }, ...buildSays(view)),
    ...missingOf(view).flatMap((asset) => newestFields(view, asset)),
    button(t('build_do'), () => void kit.build(), { id: 'build-do', class: 'primary wide', disabled: !isReady }),
  )
}

function buildSays({ kit, t }: View): HTMLElement[] {
  const { build } = kit.state
  if (build === undefined) return []
  if (build.kind === 'reading') return [h('p', { class: 'muted' }, t('build_reading', { lines: build.lines }))]
  if (build.kind === 'fault') {
    const { code, values } = build
    return [h('p', { class: 'warn' }, t(buildFaultKey(code) ?? 'build_fault_other', { reason: code, ...values }))]
  }
  if (build.missing.length > 0)
    return [h('p', { class: 'warn' }, t('build_missing', { assets: build.missing.join(', ') }))]
  if (build.paths.leaves.length === 0) return [h('p', { class: 'warn' }, t('build_no_leaf'))]
  return []
}

function newestFields({ kit, t }: View, asset: string): HTMLElement[] {
  return (['deposits', 'payments'] as const).map((what) => {
    const id = `${what}-${asset}`
    const value = kit.state.newest.get(id) ?? ''
    return field({ id, label: t(`newest_${what}`, { asset }), hint: t('newest_hint'), value }, (typed) =>
      kit.setNewest(id, typed),
    )
  })
}

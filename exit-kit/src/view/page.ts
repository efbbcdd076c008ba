import { domainOf, isChainId, type Kit, WALLET_NODE } from '../kit.ts'
import { isNodeUrl, nodesFor } from '../nodes.ts'
import { formatTime, textsOf } from '../texts.ts'
import { button, field, h, takeTyped } from './elements.ts'
import { steps } from './steps.ts'
import { faultOf, type View } from './view.ts'

/** Draws the whole page. The field that has the focus keeps it, and what is being typed there. */
export function drawPage(root: HTMLElement, kit: Kit, saveCopy: () => void): void {
  const { locale } = kit.state
  const t = textsOf(locale)
  const view: View = { kit, t, time: (seconds) => formatTime(seconds, locale), saveCopy }
  const focused = document.activeElement?.id
  const keepTyped = takeTyped(document.activeElement)
  const open = new Set([...root.querySelectorAll('details[open]')].map(({ id }) => id))
  document.documentElement.lang = locale
  document.title = `Clearwell · ${t('title')}`
  root.replaceChildren(head(view), proof(view), node(view), ...steps(view), promise(view))
  for (const details of root.querySelectorAll('details')) details.open = open.has(details.id)
  if (focused) document.getElementById(focused)?.focus()
  keepTyped()
}

function head({ kit, t }: View): HTMLElement {
  const other = kit.state.locale === 'en' ? 'zh-HK' : 'en'
  const language = button(t('language'), () => kit.showLocale(other), { id: 'language', class: 'quiet', lang: other })
  const title = h('div', {}, h('p', { class: 'brand' }, 'Clearwell'), h('h1', {}, t('title')))
  return h('header', {}, h('div', { class: 'row' }, title, language), h('p', { class: 'muted' }, t('lead')))
}

function proof({ kit, t, time, saveCopy }: View): HTMLElement {
  const { data, fields, unknownFile, check } = kit.state
  const files = h('input', {
    ...{ id: 'files', type: 'file', multiple: true, accept: '.json,.jsonl,.txt,application/json' },
    onchange: (event) => void kit.addAllChosen([...((event.target as HTMLInputElement).files ?? [])]),
  })
  const hasPaths = data.paths.length > 0
  const header = check?.signed
  return h(
    'section',
    { 'aria-labelledby': 'data-title' },
    h('h2', { id: 'data-title' }, t('data_title')),
    h('p', { class: 'muted' }, t('data_text')),
    h('div', { class: 'choose' }, files, h('label', { for: 'files', class: 'pressed quiet wide' }, t('data_file'))),
    unknownFile !== undefined && h('p', { class: 'warn', role: 'alert' }, t('data_unknown', { name: unknownFile })),
    h(
      'p',
      { id: 'data-header', role: 'status' },
      header
        ? t('data_header', { number: header.number, time: time(header.header.cursorTime) })
        : !hasPaths && t('data_none'),
    ),
    field(
      {
        id: 'account',
        label: t('field_account'),
        value: fields.account,
        class: 'address',
        fault: faultOf(fields.account, t),
      },
      (value) => void kit.setField('account', value),
    ),
    field(
      { id: 'vault', label: t('field_vault'), value: fields.vault, class: 'address', fault: faultOf(fields.vault, t) },
      (value) => void kit.setField('vault', value),
    ),
    field(
      {
        ...{ id: 'chain', label: t('field_chain'), value: fields.chainId, inputmode: 'numeric' },
        fault: isChainId(fields.chainId) ? undefined : t('field_bad_chain'),
      },
      (value) => void kit.setField('chainId', value),
    ),
    hasPaths && button(t('save_copy'), saveCopy, { id: 'save-copy', class: 'quiet wide' }),
    hasPaths && h('p', { class: 'muted small' }, t('save_copy_text')),
  )
}

function node({ kit, t, time }: View): HTMLElement {
  const { fields, data, node: chosen, reading, provider, isLoading } = kit.state
  const urls = nodesFor(Number(fields.chainId), [...(isNodeUrl(fields.ownNode) ? [fields.ownNode] : []), ...data.nodes])
  const options = [...urls.map((url) => [url, url]), ...(provider ? [[WALLET_NODE, t('node_wallet')]] : [])]
  const select = h(
    'select',
    { id: 'node', onchange: (event) => kit.chooseNode((event.target as HTMLSelectElement).value) },
    ...options.map(([value, label = '']) => h('option', { value, selected: value === chosen }, label)),
  )
  const fault = fields.ownNode === '' || isNodeUrl(fields.ownNode) ? undefined : t('node_bad')
  const canRead = domainOf(kit.state) !== undefined && reading !== 'reading' && !isLoading
  return h(
    'section',
    { 'aria-labelledby': 'node-title' },
    h('h2', { id: 'node-title' }, t('node_title')),
    h('p', { class: 'muted' }, t('node_text')),
    h('div', { class: 'field' }, h('label', { for: 'node' }, t('node_choose')), select),
    field(
      {
        ...{ id: 'own-node', label: t('node_own'), value: fields.ownNode, fault, type: 'url' },
        placeholder: t('node_own_hint'),
      },
      (value) => void kit.setField('ownNode', value),
    ),
    button(t('node_read'), () => void kit.read(), { id: 'read', class: 'primary wide', disabled: !canRead }),
    h('div', { id: 'node-says', role: 'status' }, ...nodeSays(reading, { t, time, chain: fields.chainId })),
  )
}

function nodeSays(
  reading: Kit['state']['reading'],
  { t, time, chain }: Pick<View, 't' | 'time'> & { readonly chain: string },
): HTMLElement[] {
  const says = (text: string, kind = 'warn') => h('p', { class: kind }, text)
  if (reading === undefined) return [says(t('node_without'), 'muted')]
  if (reading === 'reading') return [says(t('node_reading'), 'muted')]
  if (reading.kind === 'unknown') {
    const isFile = reading.why === 'silent' && location.protocol === 'file:'
    const text = says(t(`node_${reading.why}`, { chain }))
    return [text, ...(isFile ? [says(t('node_silent_file'), 'muted')] : []), says(t('node_without'), 'muted')]
  }
  const { now, isLate, end } = reading.vault
  return [
    isLate ? says(t('node_late', { time: time(now) })) : says(t('node_ok', { time: time(now) }), 'muted'),
    ...(end.step === 'ending' ? [says(t('ending'))] : end.step === 'ended' ? [says(t('ended'))] : []),
  ]
}

function promise({ t }: View): HTMLElement {
  const lines = (['promise_1', 'promise_2', 'promise_3', 'promise_4', 'promise_5'] as const).map((key) =>
    h('li', {}, t(key)),
  )
  return h('details', { id: 'promise' }, h('summary', {}, t('promise_title')), h('ul', {}, ...lines))
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { STATES, type State } from './states.ts'
import type { Shot } from './take-shots.ts'

/** Writes a page that shows all pictures, by screen and state, with buttons that filter them. @returns its file. */
export async function writeContactSheet(folder: string, shots: readonly Shot[]): Promise<string> {
  const routes = [...new Set(shots.map(({ route }) => route))].sort()
  const filters = (['state', 'locale', 'mode', 'width'] as const).map((key) =>
    filter(key, [...new Set(shots.map((shot) => String(shot[key])))]),
  )
  const sections = routes.map((route) =>
    section(
      route,
      shots.filter((shot) => shot.route === route),
    ),
  )
  const file = join(folder, 'index.html')
  await writeFile(file, page(filters.join(''), sections.join('')))
  return file
}

function filter(key: string, values: readonly string[]): string {
  const boxes = values.map(
    (value) => `<label><input type="checkbox" checked data-key="${key}" value="${value}"> ${value}</label>`,
  )
  return `<fieldset><legend>${key}</legend>${boxes.join('')}</fieldset>`
}

function section(route: string, shots: readonly Shot[]): string {
  const states = Object.keys(STATES) as State[]
  const inOrder = [...shots].sort((a, b) => states.indexOf(a.state) - states.indexOf(b.state))
  return `<section id="${route}"><h2>${route}</h2><div>${inOrder.map(figure).join('')}</div></section>`
}

function figure({ file, state, locale, mode, width, isLoading }: Shot): string {
  const note = isLoading ? ' <b>still loading</b>' : ''
  const caption = `${STATES[state]} · ${locale} · ${mode} · ${width}${note}`
  const data = `data-state="${state}" data-locale="${locale}" data-mode="${mode}" data-width="${width}"`
  return `<figure ${data}><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${caption}</figcaption></figure>`
}

const page = (filters: string, sections: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Contact sheet</title>
<style>
  body { font: 14px system-ui; margin: 0; background: #777; color: #fff }
  form { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 8px; padding: 8px; background: #333; z-index: 1 }
  fieldset { border: 1px solid #777 } label { margin-right: 8px }
  section { padding: 8px 16px } section > div { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start }
  figure { margin: 0 } figure[hidden] { display: none } figcaption { padding: 4px 0; font-size: 12px }
  img { display: block; width: 260px } [data-width="1440"] img { width: 560px } b { color: #ffd35c }
</style>
<form>${filters}</form>${sections}
<script>
  const boxes = [...document.querySelectorAll('input')]
  document.querySelector('form').addEventListener('change', () => {
    const hidden = boxes.filter((box) => !box.checked)
    for (const figure of document.querySelectorAll('figure'))
      figure.hidden = hidden.some((box) => figure.dataset[box.dataset.key] === box.value)
  })
</script>
</html>
`

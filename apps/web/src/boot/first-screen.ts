/**
 * Runs inline at the end of the body: puts the prerendered home of the other language in the place of this page's one,
 * or keeps its frame alone, as `before-paint.ts` decided. `data-first` and `data-locale` tell
 * start.ts and main.tsx which of them is seen.
 */
const { dataset } = document.documentElement
const app = document.getElementById('app')
const twin = document.getElementById('twin')
const skeleton = document.getElementById('skeleton')

if (app) {
  if (twin instanceof HTMLTemplateElement && 'twin' in dataset) app.replaceChildren(twin.content)
  app.dataset.first = 'frame' in dataset ? 'frame' : 'home'
  app.dataset.locale = document.documentElement.lang
  if ('frame' in dataset) {
    if (skeleton instanceof HTMLTemplateElement) app.querySelector('#content')?.replaceChildren(skeleton.content)
    for (const current of app.querySelectorAll('[aria-current]')) current.removeAttribute('aria-current')
  }
}
twin?.remove()
skeleton?.remove()
delete dataset.twin
delete dataset.frame

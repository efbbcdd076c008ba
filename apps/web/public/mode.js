// Before the first paint, so that no other colour mode flashes. src/ui/color-mode.ts goes on from here.
;(() => {
  let choice = 'dark'
  try {
    choice = localStorage.getItem('clearwell.mode') ?? choice
  } catch {}
  const light = choice === 'light' || (choice === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
  document.documentElement.dataset.mode = light ? 'light' : 'dark'
})()

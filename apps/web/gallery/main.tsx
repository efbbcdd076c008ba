import { showMode } from '@clearwell/ui/browser/show-mode.ts'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { ToastHost } from '@clearwell/ui/components/toast-host.tsx'
import { LOCALES, type Locale, showLocale } from '@clearwell/ui/i18n/locale.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../src/api/query-client.ts'
import { Checks } from './checks.tsx'
import { Charts, Icons, Lists, Overlays, States } from './content.tsx'
import { Actions, Brand, Figures, Inputs } from './controls.tsx'
import { Tokens } from './tokens.tsx'
import '../src/app.css'
import './gallery.css'

const MODES = ['dark', 'light'] as const

/** Every component with its states, and the tokens. `?locale=en&mode=light` opens it in another language and mode. */
function Gallery() {
  const query = new URLSearchParams(location.search)
  const [locale, setLocale] = useState<Locale>(LOCALES.find((each) => each === query.get('locale')) ?? 'zh-HK')
  const [mode, setMode] = useState(MODES.find((each) => each === query.get('mode')) ?? 'dark')
  showLocale(locale)
  showMode(mode)
  history.replaceState(null, '', `?${new URLSearchParams({ locale, mode })}`)
  return (
    <div className="well column flex min-h-dvh flex-col">
      {/* The key renders all texts again in the other language. */}
      <Screen key={locale} title="Component gallery">
        <SegmentedControl
          label="Language"
          options={LOCALES.map((value) => ({ value, label: value }))}
          value={locale}
          onChange={setLocale}
        />
        <SegmentedControl
          label="Mode"
          options={MODES.map((value) => ({ value, label: value }))}
          value={mode}
          onChange={setMode}
        />
        <Tokens />
        <Brand />
        <Actions />
        <Inputs />
        <Figures />
        <Lists />
        <States />
        <Checks />
        <Overlays />
        <Charts />
        <Icons />
      </Screen>
      <ToastHost />
    </div>
  )
}

const container = document.getElementById('app')
if (container)
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Gallery />
      </QueryClientProvider>
    </StrictMode>,
  )

import { Screen } from '@clearwell/ui/components/screen.tsx'
import { currentLocale, LOCALES, type Locale } from '@clearwell/ui/i18n/locale.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../generated/messages.ts'
import { useLocaleSwitch } from './use-locale-switch.ts'

/** The two languages, with the current one marked. A choice takes effect immediately and is stored. */
export default function LanguageScreen() {
  const switchTo = useLocaleSwitch()
  const names: Record<Locale, string> = { 'zh-HK': m.language_zh(), en: m.language_en() }
  return (
    <Screen title={m.nav_language()}>
      <p className="text-muted">{m.language_intro()}</p>
      <ul className="flex flex-col divide-y divide-line">
        {LOCALES.map((locale) => {
          const chosen = locale === currentLocale()
          return (
            <li key={locale}>
              <button
                type="button"
                lang={locale}
                aria-pressed={chosen}
                onClick={() => switchTo(locale)}
                className="flex min-h-16 w-full items-center justify-between text-start aria-pressed:font-semibold"
              >
                {names[locale]}
                {chosen && <Icon name="check" className="text-accent" />}
              </button>
            </li>
          )
        })}
      </ul>
    </Screen>
  )
}

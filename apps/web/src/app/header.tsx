import { BrandMark } from '@clearwell/ui/components/brand-mark.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import { Link, useCanGoBack, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { NoticeBell } from '../features/notice/notice-bell.tsx'
import { m } from '../generated/messages.ts'
import { AccountButton } from './account-button.tsx'
import { TAB_PATHS } from './navigation.ts'
import { NetworkBadge } from './network-badge.tsx'
import { useProductName } from './product-title.tsx'
import { useLocaleSwitch } from './use-locale-switch.ts'

const MenuDrawer = lazySheet(() => import('./menu-drawer.tsx'))

/** The back button (the product's name on the screens of the tabs), the network, the language, notices, the account. */
export function Header() {
  const { pathname } = useLocation()
  const [menuOpen, setMenuOpen] = useState(false)
  const screen = pathInLocale(pathname, 'zh-HK').replace(/(?<=.)\/$/, '')
  const onTab = TAB_PATHS.includes(screen)
  return (
    <header className="sticky top-edge z-20 flex min-h-14 flex-wrap items-center justify-end bg-ground/90 max-magnified:static ps-1 pe-4 backdrop-blur-md">
      <IconButton icon="menu" label={m.nav_menu()} aria-haspopup="dialog" onClick={() => setMenuOpen(true)} />
      <div className="flex min-w-0 flex-1 items-center max-magnified:basis-2/3">
        {onTab ? <BrandMark className="me-2 size-6" /> : <BackButton />}
        <div className="relative flex min-w-11 flex-col">
          {onTab && <ProductName />}
          <NetworkBadge />
        </div>
      </div>
      <LanguageButton />
      <NoticeBell />
      <AccountButton isHome={screen === '/'} isBesideBack={!onTab} />
      {menuOpen && <MenuDrawer onClose={() => setMenuOpen(false)} />}
    </header>
  )
}

/** Its target is the mark, the name and the network below it. */
function ProductName() {
  return (
    <Link
      to="/{-$locale}"
      className="flex font-semibold leading-5 before:absolute before:-inset-y-1 before:-start-8 before:end-0"
    >
      <span className="truncate">{useProductName()}</span>
    </Link>
  )
}

/** Back to where one came from; on a page opened directly, up one step. */
function BackButton() {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const navigate = useNavigate()
  const goBack = () => (canGoBack ? router.history.back() : navigate({ to: '..' }))
  return <IconButton icon="chevron-left" label={m.nav_back()} onClick={goBack} />
}

/** Switches to the other language. */
function LanguageButton() {
  const switchTo = useLocaleSwitch()
  const other = currentLocale() === 'en' ? 'zh-HK' : 'en'
  return (
    <button
      type="button"
      title={m.app_language_switch()}
      onClick={() => switchTo(other)}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted hover:text-text"
    >
      <span lang={other}>{other === 'en' ? 'EN' : '中'}</span>
      <span className="sr-only"> {m.app_language_switch()}</span>
    </button>
  )
}

import { type ColorMode, chooseColorMode, colorModeStore } from '@clearwell/ui/browser/color-mode.ts'
import { useStore } from '@clearwell/ui/browser/store.ts'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { showError } from '@clearwell/ui/components/toast-store.ts'
import { Icon, type IconName } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useAccount } from '../account/use-account.ts'
import { requestSignIn } from '../api/session-store.ts'
import { openNotices } from '../features/notice/notice-bell.tsx'
import { signOut } from '../features/session/sign-out.ts'
import { menuLabels } from '../generated/menu-labels.ts'
import { m } from '../generated/messages.ts'
import { MENU_GROUPS, type Screen } from '../manifest/screens.ts'
import { useWallet } from '../wallet/wallet.ts'
import { useProductName } from './product-title.tsx'
import { screens } from './screens.ts'

/** The menu's destinations, in groups: from the manifests of the screens. */
const MENU = MENU_GROUPS.map((group) =>
  Object.entries<Screen>(screens)
    .flatMap(([path, { menu }]) => (menu?.group === group ? [{ path, ...menu }] : []))
    .toSorted((a, b) => a.place - b.place),
)

/** Typed as home, because the types of links know the paths only as literals. */
function routerPath(path: string): '/{-$locale}' {
  return `/{-$locale}${path === '/' ? '' : path}` as '/{-$locale}'
}

const ROW = 'flex min-h-12 w-full items-center gap-3 rounded-control px-2 text-start hover:bg-input'

/** All destinations in groups, and the settings. */
export default function MenuDrawer({ onClose }: { onClose: () => void }) {
  const { signedIn, user } = useAccount()
  const { status } = useWallet()
  // After a reload a signed-in user's wallet takes a moment to connect.
  const connected = signedIn || status === 'connected'
  // The settings are below the fold: the button at the top leads to them.
  const settings = useRef<HTMLElement>(null)
  const goToSettings = () => {
    settings.current?.scrollIntoView()
    settings.current?.querySelector('a')?.focus()
  }
  return (
    <Sheet
      title={useProductName()}
      from="side"
      onClose={onClose}
      action={<IconButton icon="settings" label={m.nav_settings()} onClick={goToSettings} />}
    >
      <nav aria-label={m.nav_menu()} className="flex flex-col divide-y divide-line">
        {MENU.map((entries, index) => (
          <ul key={MENU_GROUPS[index]} className="flex flex-col py-2 first:pt-0">
            {entries.map(({ path, icon }) => (
              <li key={path}>
                <Link to={routerPath(path)} activeOptions={{ exact: true }} onClick={onClose} className={`${ROW} tab`}>
                  <Icon name={icon} />
                  <span>{menuLabels[path]?.()}</span>
                </Link>
              </li>
            ))}
          </ul>
        ))}
        <section aria-label={m.nav_my_account()} className="flex flex-col py-2">
          <h2 className="px-2 py-1 text-label text-muted">{m.nav_my_account()}</h2>
          {user?.activated === false && (
            <Link to="/{-$locale}/swap/activate" onClick={onClose} className={ROW}>
              <Icon name="circle-check" />
              {m.nav_activate_now()}
            </Link>
          )}
          <MenuAction
            icon="bell"
            label={m.notice_title()}
            onClick={() => {
              onClose()
              openNotices()
            }}
          />
          <MenuAction
            icon={connected ? 'log-out' : 'wallet'}
            label={connected ? m.nav_disconnect() : m.nav_connect()}
            onClick={() => {
              onClose()
              if (connected) signOut().catch(showError)
              else void requestSignIn()
            }}
          />
        </section>
        <section ref={settings} aria-label={m.nav_settings()} className="flex flex-col gap-2 py-2">
          <h2 className="px-2 py-1 text-label text-muted">{m.nav_settings()}</h2>
          <Link to="/{-$locale}/language" onClick={onClose} className={ROW}>
            <Icon name="languages" />
            {m.nav_language()}
          </Link>
          <Appearance />
        </section>
      </nav>
    </Sheet>
  )
}

function MenuAction({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" onClick={onClick} className={ROW}>
      <Icon name={icon} />
      {label}
    </button>
  )
}

function Appearance() {
  const mode = useStore(colorModeStore)
  const options: { value: ColorMode; label: string }[] = [
    { value: 'system', label: m.app_mode_system() },
    { value: 'light', label: m.app_mode_light() },
    { value: 'dark', label: m.app_mode_dark() },
  ]
  return <SegmentedControl label={m.app_mode()} options={options} value={mode} onChange={chooseColorMode} />
}

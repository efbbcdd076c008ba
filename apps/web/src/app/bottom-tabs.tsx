import { Link } from '@tanstack/react-router'
import { m } from '../generated/paraglide/messages.js'
import { Icon } from '../icons/icon.tsx'
import { TABS } from './navigation.ts'

/** The five ways through the product, at thumb reach. */
export function BottomTabs() {
  return (
    <nav
      aria-label={m.nav_main()}
      className="safe-bottom sticky bottom-0 z-20 grid grid-cols-5 border-t border-line bg-ground/95 backdrop-blur-md"
    >
      {TABS.map(({ to, icon, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/{-$locale}' }}
          className="flex min-h-16 flex-col items-center justify-center gap-1 text-center text-label text-muted outline-offset-[-2px] transition-colors hover:text-text aria-[current=page]:text-accent"
        >
          <Icon name={icon} />
          {label()}
        </Link>
      ))}
    </nav>
  )
}

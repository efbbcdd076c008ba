import { Section } from '@clearwell/ui/components/card.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'

/** The screens that a visitor can read without a wallet. A desktop has room for them below the markets. */
export default function Explore() {
  const destinations = [
    {
      to: '/{-$locale}/swap/exchange',
      icon: 'arrow-left-right',
      title: m.explore_swap(),
      text: m.explore_swap_text(),
    },
    { to: '/{-$locale}/stake', icon: 'landmark', title: m.explore_stake(), text: m.explore_stake_text() },
    { to: '/{-$locale}/node/blindBox', icon: 'box', title: m.explore_box(), text: m.explore_box_text() },
    { to: '/{-$locale}/white', icon: 'file-text', title: m.explore_white(), text: m.explore_white_text() },
  ] as const
  return (
    <Section title={m.explore_title()}>
      <ul className="-mt-2 flex flex-col divide-y divide-line">
        {destinations.map(({ to, icon, title, text }) => (
          <li key={to}>
            <Link to={to} className="flex min-h-16 items-center gap-3 py-2 hover:bg-input">
              <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-input text-accent light:bg-line">
                <Icon name={icon} />
              </span>
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="font-semibold">{title}</span>
                <span className="text-secondary text-muted">{text}</span>
              </span>
              <Icon name="chevron-right" className="text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

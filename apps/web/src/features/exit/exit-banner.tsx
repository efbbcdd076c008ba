import { useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { formatAmount, formatList } from '@clearwell/ui/i18n/format.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link, useRouterState } from '@tanstack/react-router'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { type Exit, useExit } from './exit.queries.ts'
import { stateText } from './leaving-text.ts'
import { lockedByAdvance } from './locked-by-advance.ts'

const POLL_MS = 15_000

/**
 * Says that the account leaves, what still works and until when; after an exit, the advance that it owes. The exit's own screen says
 * more.
 */
export default function ExitBanner() {
  const { data } = useExit({ pollMs: POLL_MS })
  const isOwnScreen = useRouterState({ select: ({ location }) => /\/wallet\/exit$/.test(location.pathname) })
  if (!data || isOwnScreen) return null
  if (data.state === 'none') return data.owed.length > 0 ? <AdvanceBanner exit={data} /> : null
  return (
    <Banner
      title={m.exit_banner()}
      link={m.exit_banner_open()}
      text={sentences(m.exit_banner_locked(), stateText(data))}
    />
  )
}

function AdvanceBanner({ exit }: { exit: Exit }) {
  const { data: balances } = useCall('balances', {})
  const { hide } = useHiddenAmounts()
  const amounts = formatList(exit.owed.map(({ asset, amount }) => `${formatAmount(amount)} ${asset}`))
  const isLocked = !balances || lockedByAdvance(exit, balances).length > 0
  return (
    <Banner
      title={hide(m.exit_banner_owed({ amounts }))}
      link={m.exit_banner_owed_open()}
      text={isLocked ? m.exit_banner_owed_locked() : m.exit_banner_owed_waits()}
    />
  )
}

function Banner({ title, link, text }: { title: string; link: string; text: string }) {
  return (
    <div role="status" className="flex gap-2 border-b border-line px-4 pb-2 text-label text-warn">
      <Icon name="lock" className="mt-3.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center justify-between gap-x-3">
          <strong>{title}</strong>
          <Link
            to="/{-$locale}/wallet/exit"
            className="inline-flex min-h-11 items-center font-semibold underline underline-offset-2"
          >
            {link}
          </Link>
        </p>
        <p className="text-phrases">{text}</p>
      </div>
    </div>
  )
}

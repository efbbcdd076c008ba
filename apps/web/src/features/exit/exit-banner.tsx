import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link, useRouterState } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'
import { useExit } from './exit.queries.ts'
import { stateText } from './leaving-text.ts'

const POLL_MS = 15_000

/** Says that the account leaves, what still works and until when. The exit's own screen says more. */
export default function ExitBanner() {
  const { data } = useExit({ pollMs: POLL_MS })
  const isOwnScreen = useRouterState({ select: ({ location }) => /\/wallet\/exit$/.test(location.pathname) })
  if (!data || data.state === 'none' || isOwnScreen) return null
  return (
    <div role="status" className="flex items-center gap-2 border-b border-line ps-4 pe-2 text-label text-warn">
      <Icon name="lock" className="size-4 shrink-0" />
      <p className="min-h-11 flex-1 content-center py-2 text-phrases">
        <strong className="block">{m.exit_banner()}</strong>
        {sentences(m.exit_banner_locked(), stateText(data))}
      </p>
      <Link
        to="/{-$locale}/wallet/exit"
        className="inline-flex min-h-11 shrink-0 items-center px-2 font-semibold underline underline-offset-2"
      >
        {m.exit_banner_open()}
      </Link>
    </div>
  )
}

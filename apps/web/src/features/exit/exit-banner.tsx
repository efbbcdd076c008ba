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
    <div role="status" className="flex gap-2 border-b border-line px-4 pb-2 text-label text-warn">
      <Icon name="lock" className="mt-3.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center justify-between gap-x-3">
          <strong>{m.exit_banner()}</strong>
          <Link
            to="/{-$locale}/wallet/exit"
            className="inline-flex min-h-11 items-center font-semibold underline underline-offset-2"
          >
            {m.exit_banner_open()}
          </Link>
        </p>
        <p className="text-phrases">{sentences(m.exit_banner_locked(), stateText(data))}</p>
      </div>
    </div>
  )
}

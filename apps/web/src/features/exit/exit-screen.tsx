import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { type Config, fetchConfig, useConfig, useConfigError } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { useExit } from './exit.queries.ts'
import { ExitIntro, ExitLimits } from './exit-intro.tsx'
import { ExitKitNote } from './exit-kit-note.tsx'
import { OpenExit } from './open-exit.tsx'
import { Content, RequestExit } from './request-exit.tsx'

/** Leaving without the operator: what it is, the request, its state by exact times, and the payments. */
export default function ExitScreen() {
  const config = useConfig()
  const error = useConfigError()
  if (config) return config.vault_exits ? <WithExits config={config} /> : <WithoutExits />
  return (
    <Screen title={m.exit_title()}>
      {error ? (
        <ErrorState error={error} onRetry={fetchConfig} />
      ) : (
        <Pending>
          <ExitIntro />
        </Pending>
      )}
    </Screen>
  )
}

function WithoutExits() {
  return (
    <Screen title={m.exit_title()}>
      <EmptyState
        icon="arrow-up-from-line"
        title={m.exit_none()}
        text={m.exit_none_text()}
        action={
          <Link to="/{-$locale}/trust" className={buttonClass()}>
            {m.trust_title()}
          </Link>
        }
      />
    </Screen>
  )
}

function WithExits({ config }: { config: Config }) {
  const { signedIn } = useAccount()
  const exit = useExit()
  if (!signedIn)
    return (
      <Around>
        <SignedOut icon="arrow-up-from-line" title={m.exit_signed_out()} />
      </Around>
    )
  if (exit.data && exit.data.state !== 'none')
    return <OpenExit exit={exit.data} config={config} isStale={exit.isError} />
  if (exit.data) return <RequestExit exit={exit.data} config={config} />
  if (exit.isError)
    return (
      <Around>
        <ErrorState error={exit.error} onRetry={exit.refetch} />
      </Around>
    )
  return (
    <Screen title={m.exit_title()}>
      <ExitIntro />
      <Pending>
        <Content />
      </Pending>
    </Screen>
  )
}

/** The explanation needs no server. */
function Around({ children }: { children: ReactNode }) {
  return (
    <Screen title={m.exit_title()}>
      <ExitIntro />
      {children}
      <ExitLimits />
      <ExitKitNote />
    </Screen>
  )
}

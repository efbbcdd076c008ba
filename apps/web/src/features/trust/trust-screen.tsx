import { Card } from '@clearwell/ui/components/card.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Icon, type IconName } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { CONFIG } from '../../api/config.samples.ts'
import { type Config, fetchConfig, useConfig, useConfigError, type WholeConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { CanaryCard } from './canary-card.tsx'
import { OperatorFacts } from './operator-facts.tsx'

/** The operator's statements about itself, checks that anyone can make, and their limits. */
export default function TrustScreen() {
  const config = useConfig()
  const error = useConfigError()
  return (
    <Screen title={m.trust_title()}>
      {config ? (
        <Operator config={config} />
      ) : error ? (
        <ErrorState error={error} onRetry={fetchConfig} />
      ) : (
        <Pending>
          <Operator config={CONFIG} />
        </Pending>
      )}
      <Card title={m.trust_checks()}>
        <Checks keys={config?.proof_keys} hasExits={config?.vault_exits === true} />
      </Card>
      {config?.vault_exits && <CanaryCard config={config} />}
      <Card title={m.trust_limits()}>
        <ul className="flex list-disc flex-col gap-2 ps-4 text-muted">
          {(config?.vault_exits ? LIMITS.filter((limit) => limit !== m.trust_limit_exit) : LIMITS).map((limit) => (
            <li key={limit()}>{limit()}</li>
          ))}
        </ul>
      </Card>
    </Screen>
  )
}

function Operator({ config }: { config: Config }) {
  return (
    <Card title={m.trust_operator()}>
      <OperatorFacts config={config} />
    </Card>
  )
}

const LIMITS = [
  m.trust_limit_records,
  m.trust_limit_exit,
  m.trust_limit_bookkeeper,
  m.trust_limit_prices,
  m.trust_limit_accounts,
]

const CHECKS = [
  { to: '/{-$locale}', icon: 'landmark', label: m.trust_reserves, text: m.trust_reserves_text },
  { to: '/{-$locale}/node/blindBox', icon: 'box', label: m.trust_draws, text: m.trust_draws_text },
  { to: '/{-$locale}/wallet', icon: 'wallet', label: m.trust_entries, text: m.trust_entries_text },
  {
    to: '/{-$locale}/stake/liquidate',
    icon: 'file-text',
    label: m.trust_liquidations,
    text: m.trust_liquidations_text,
  },
  { to: '/{-$locale}/trust/changes', icon: 'scroll-text', label: m.trust_rules, text: m.trust_rules_text },
] as const satisfies readonly { icon: IconName; to: string; label: () => string; text: () => string }[]

/** Only where accounts can leave by the vault. */
const EXIT = {
  to: '/{-$locale}/wallet/exit',
  icon: 'arrow-up-from-line',
  label: m.exit_title,
  text: m.trust_exit_text,
} as const

/** Each check with the screen where anyone can make it. @param keys of the ledger's headers; null where the server makes none */
function Checks({ keys, hasExits }: { keys: WholeConfig['proof_keys'] | undefined; hasExits: boolean }) {
  const text = keys?.bookkeepers.length ? m.trust_headers_both : m.trust_headers_alone
  const headers = { to: '/{-$locale}/wallet/header', icon: 'badge-check', label: m.trust_headers, text } as const
  return (
    <ul className="flex flex-col divide-y divide-line">
      {[...CHECKS, ...(keys ? [headers] : []), ...(hasExits ? [EXIT] : [])].map(({ to, icon, label, text }) => (
        <li key={to}>
          <Link to={to} className="flex min-h-16 items-center gap-3 py-2">
            <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-input text-muted light:bg-line">
              <Icon name={icon} />
            </span>
            <span className="flex min-w-0 flex-1 flex-col">
              <span>{label()}</span>
              <span className="text-secondary text-muted">{text()}</span>
            </span>
            <Icon name="chevron-right" className="text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

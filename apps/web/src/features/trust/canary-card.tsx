import { Card } from '@clearwell/ui/components/card.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import type { Config, ConfigWith } from '../../api/config.ts'
import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { CanaryExit, type CanaryItem } from './canary-exit.tsx'
import { CANARY_EXITS } from './trust.samples.ts'

/** Exits that are shown. */
const SHOWN = 3
/** After an exit the canary deposits and asks again within hours. */
const MOST_IDLE_MS = 2 * 86_400_000

/** The last exits of an account that leaves without the servers, as the vault's events show them. */
export function CanaryCard({ config }: { config: ConfigWith<'canary'> }) {
  return (
    <Card title={m.trust_canary()}>
      <div className="flex flex-col gap-3 pb-3 text-secondary text-muted">
        <p>{m.trust_canary_text()}</p>
        <p>{m.trust_canary_limit()}</p>
      </div>
      {config.canary ? <Exits config={config} /> : <p>{m.trust_canary_unnamed()}</p>}
    </Card>
  )
}

function Exits({ config }: { config: Config }) {
  const list = useListCall('proofCanary', { limit: SHOWN })
  return (
    <Loaded read={list} sample={CANARY_EXITS}>
      {(exits) => <List exits={exits.slice(0, SHOWN)} config={config} />}
    </Loaded>
  )
}

function List({ exits, config }: { exits: readonly CanaryItem[]; config: Config }) {
  const [newest] = exits
  if (!newest) return <p>{m.trust_canary_none()}</p>
  const idleMs = newest.ended_at === null ? 0 : Date.parse(config.time) - Date.parse(newest.ended_at)
  return (
    <>
      {idleMs > MOST_IDLE_MS && <p className="pb-3 text-warn">{m.trust_canary_idle()}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {exits.map((exit) => (
          <li key={exit.request_tx} className="py-3">
            <CanaryExit exit={exit} config={config} />
          </li>
        ))}
      </ul>
    </>
  )
}

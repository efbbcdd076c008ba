import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { formatHongKongTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon, type IconName } from '@clearwell/ui/icons/icon.tsx'
import type { ReactNode } from 'react'
import { type ListItem, useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { ActivityFrame } from './activity-frame.tsx'
import { ACTS } from './history.samples.ts'

type Act = ListItem<'acts'>

const KINDS: Readonly<Record<Act['kind'], { readonly icon: IconName; readonly name: () => string }>> = {
  view_account: { icon: 'eye', name: m.history_act_view_account },
  freeze_account: { icon: 'lock', name: m.history_act_freeze_account },
  unfreeze_account: { icon: 'check', name: m.history_act_unfreeze_account },
  revoke_sessions: { icon: 'log-out', name: m.history_act_revoke_sessions },
  release_uid: { icon: 'unlink', name: m.history_act_release_uid },
  other: { icon: 'circle', name: m.history_act_other },
}

const ROLES: Readonly<Record<Act['role'], () => string>> = {
  viewer: m.history_role_viewer,
  support: m.history_role_support,
  risk: m.history_role_risk,
  treasurer: m.history_role_treasurer,
  owner: m.history_role_owner,
}

/** The operator's looks at the user's account and changes to it, each with its role, time and reason. */
export function OperatorActs({ filter }: { filter: ReactNode }) {
  const list = useListCall('acts', {})
  return (
    <ActivityFrame list={list} hasItems={list.data !== undefined} filter={filter}>
      <p className="text-muted text-phrases">{m.history_acts_intro()}</p>
      {list.data ? (
        list.data.length === 0 ? (
          <EmptyState icon="eye" title={m.history_acts_empty()} text={m.history_acts_empty_text()} />
        ) : (
          <Rows acts={list.data} />
        )
      ) : (
        <Pending>
          <Rows acts={ACTS} />
        </Pending>
      )}
    </ActivityFrame>
  )
}

function Rows({ acts }: { acts: readonly Act[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {acts.map((act) => (
        <li key={act.id}>
          <ActRow act={act} />
        </li>
      ))}
    </ul>
  )
}

/** A kind of a newer server is shown as any other change. */
function ActRow({ act: { kind, role, persons, reason, created_at: time } }: { act: Act }) {
  const { icon, name } = KINDS[kind] ?? KINDS.other
  const roleName = ROLES[role]()
  return (
    <article className="flex gap-3 py-3">
      <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-input text-muted light:bg-line">
        <Icon name={icon} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h2>{name()}</h2>
        <dl className="flex flex-col gap-1 text-secondary">
          <Fact name={m.history_act_role()}>
            {persons > 1 ? m.history_act_role_by_two({ role: roleName }) : roleName}
          </Fact>
          <Fact name={m.history_act_reason()}>{reason}</Fact>
          <Fact name={m.history_act_time()}>
            <span className="figures">{formatHongKongTime(time)}</span>
          </Fact>
        </dl>
      </div>
    </article>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-x-2">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

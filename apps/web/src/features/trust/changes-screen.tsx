import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { useConfig } from '../../api/config.ts'
import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { ChangeRow, type RuleChange } from './change-row.tsx'
import { CHANGES } from './trust.samples.ts'

/** The public list of changes of the rules, with the time from which each counts. */
export default function ChangesScreen() {
  const list = useListCall('ruleChanges', {})
  return (
    <Screen title={m.trust_changes_title()}>
      <p className="text-muted">{m.trust_changes_intro()}</p>
      {list.data ? (
        list.data.length === 0 ? (
          <EmptyState icon="scroll-text" title={m.trust_changes_empty()} text={m.trust_changes_empty_text()} />
        ) : (
          <Rows changes={list.data} />
        )
      ) : list.isError ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : (
        <Pending>
          <Rows changes={CHANGES} />
        </Pending>
      )}
      <ListEnd {...list} />
    </Screen>
  )
}

function Rows({ changes }: { changes: readonly RuleChange[] }) {
  const now = useConfig()?.time ?? ''
  return (
    <ul className="flex flex-col divide-y divide-line">
      {changes.map((change) => (
        <li key={change.id}>
          <ChangeRow change={change} now={now} />
        </li>
      ))}
    </ul>
  )
}

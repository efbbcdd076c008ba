import { Success } from '@clearwell/ui/components/success.tsx'
import { useState } from 'react'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { isName } from './uid.ts'
import { NameField, UidForm, UidProblem } from './uid-form.tsx'

/** Changes the name of the UID. */
export default function RenameSheet({ current, onClose }: { current: string; onClose: () => void }) {
  const [name, setName] = useState(current)
  const [isChecked, setChecked] = useState(false)
  const command = useCommand('renameUid', { silent: true })

  function send(): void {
    setChecked(true)
    if (isName(name)) command.mutate({ name: name.trim() })
  }

  return (
    <UidForm
      title={m.rich_rename()}
      done={command.data && <Success title={command.data.name} text={m.rich_renamed_text()} />}
      busy={command.isPending}
      onSend={send}
      onClose={onClose}
    >
      <NameField name={name} onChange={setName} isChecked={isChecked} />
      <UidProblem error={command.error} />
    </UidForm>
  )
}

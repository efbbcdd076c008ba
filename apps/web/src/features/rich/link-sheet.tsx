import { Success } from '@clearwell/ui/components/success.tsx'
import { TextField } from '@clearwell/ui/components/text-field.tsx'
import { useState } from 'react'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { cleanUid, isName, isUid } from './uid.ts'
import { NameField, UidForm, UidProblem } from './uid-form.tsx'

/** Links the external UID, once and permanently, with a name that can change. */
export default function LinkSheet({ onClose }: { onClose: () => void }) {
  const [uid, setUid] = useState('')
  const [name, setName] = useState('')
  const [isChecked, setChecked] = useState(false)
  const command = useCommand('linkUid', { silent: true })

  function send(): void {
    setChecked(true)
    if (isUid(uid) && isName(name)) command.mutate({ uid, name: name.trim() })
  }

  return (
    <UidForm
      title={m.rich_link()}
      done={command.data && <Success title={m.rich_linked()} text={m.rich_linked_text({ uid })} />}
      busy={command.isPending}
      onSend={send}
      onClose={onClose}
    >
      <p className="text-muted">{m.rich_link_words()}</p>
      <TextField
        label={m.rich_uid()}
        value={uid}
        onChange={(typed) => setUid(cleanUid(typed))}
        inputMode="numeric"
        hint={m.rich_uid_hint()}
        error={isChecked && !isUid(uid) ? m.rich_invalid_input() : undefined}
      />
      <NameField name={name} onChange={setName} isChecked={isChecked} />
      <UidProblem error={command.error} />
    </UidForm>
  )
}

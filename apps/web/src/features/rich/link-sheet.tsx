import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { TextField } from '@clearwell/ui/components/text-field.tsx'
import { useState } from 'react'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { cleanUid, isName, isUid, UID_LENGTH, uidProblem } from './uid.ts'
import { NameField, UidForm, UidProblem } from './uid-form.tsx'

/** Links the external UID, once and permanently, with a name that can change. The number is shown again before it is linked. */
export default function LinkSheet({ onClose }: { onClose: () => void }) {
  const [uid, setUid] = useState('')
  const [name, setName] = useState('')
  const [isNameTouched, setNameTouched] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const [isReview, setReview] = useState(false)
  const command = useCommand('linkUid', { silent: true })

  function proceed(): void {
    setChecked(true)
    if (!isUid(uid) || !isName(name)) return
    if (isReview) command.mutate({ uid, name: name.trim() })
    else setReview(true)
  }

  return (
    <UidForm
      title={m.rich_link()}
      {...(!isReview && { next: m.rich_continue() })}
      stage={isReview ? 'review' : 'form'}
      done={command.data && <Success title={m.rich_linked()} text={m.rich_linked_text({ uid })} />}
      busy={command.isPending}
      onSend={proceed}
      onClose={onClose}
    >
      {isReview ? (
        <>
          <Warning text={m.rich_link_words()} />
          <FactList
            facts={[
              { label: m.rich_uid(), value: groupsOf(uid) },
              { label: m.rich_name(), value: name.trim() },
            ]}
          />
          <button
            type="button"
            onClick={() => setReview(false)}
            className="min-h-11 self-center rounded-control px-3 font-semibold text-accent"
          >
            {m.rich_link_change()}
          </button>
        </>
      ) : (
        <>
          <p className="text-muted">{m.rich_uid_what()}</p>
          <TextField
            label={m.rich_uid()}
            value={uid}
            onChange={(typed) => setUid(cleanUid(typed))}
            inputMode="numeric"
            hint={isChecked ? uidRule(uid) : m.rich_uid_hint()}
            error={isChecked && !isUid(uid) ? m.rich_invalid_input() : undefined}
          />
          <NameField
            name={name}
            onChange={(typed) => {
              setNameTouched(true)
              setName(typed)
            }}
            isChecked={isChecked && (isNameTouched || isUid(uid))}
          />
        </>
      )}
      <UidProblem error={command.error} />
    </UidForm>
  )
}

/** The rule that a typed UID breaks, else all of them. */
function uidRule(uid: string): string {
  switch (uidProblem(uid)) {
    case 'short':
      return m.rich_uid_short({ n: uid.length, m: UID_LENGTH.least })
    case 'long':
      return m.rich_uid_long({ n: uid.length, m: UID_LENGTH.most })
    case 'digits':
      return m.rich_uid_digits()
    case undefined:
      return m.rich_uid_hint()
  }
}

/** Digits in groups of three, which are easier to compare. */
function groupsOf(uid: string): string {
  return uid.replace(/(\d{3})(?=\d)/g, '$1 ')
}

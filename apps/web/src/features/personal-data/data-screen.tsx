import type { ResponseOf } from '@clearwell/api/routes'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { formatHongKongTime } from '@clearwell/ui/i18n/format-date.ts'
import { useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { DataDownload } from './data-download.tsx'
import { GROUP_WORDS, keptText } from './data-words.ts'
import { STORED } from './personal-data.samples.ts'

const EraseSheet = lazySheet(() => import('./erase-sheet.tsx'))

/** The list of stored data and its periods, with the file of it and the button to erase. */
export default function DataScreen() {
  const { signedIn, user } = useAccount()
  const [isErasing, setErasing] = useState(false)
  const read = useCall('storedData', {})
  return (
    <Screen title={m.data_title()} action={<DataDownload />}>
      <p className="text-muted text-phrases">{m.data_intro()}</p>
      {user?.terms && (
        <p className="text-phrases">
          {m.data_terms_accepted({ version: user.terms.version, time: formatHongKongTime(user.terms.accepted_at) })}
        </p>
      )}
      <Loaded read={read} sample={STORED}>
        {({ groups }) => <Groups groups={groups} />}
      </Loaded>
      <Card title={m.data_network()}>
        <p className="text-muted text-phrases">{m.data_network_text()}</p>
      </Card>
      {signedIn && (
        <Button look="danger" onClick={() => setErasing(true)}>
          {m.data_erase()}
        </Button>
      )}
      {isErasing && <EraseSheet onClose={() => setErasing(false)} />}
    </Screen>
  )
}

function Groups({ groups }: Pick<ResponseOf<'storedData'>, 'groups'>) {
  return (
    <ul aria-label={m.data_stored()} className="flex flex-col divide-y divide-line">
      {groups
        .filter(({ group }) => group in GROUP_WORDS)
        .map(({ group, days, can_erase: canErase }) => (
          <li key={group} className="flex flex-col gap-1 py-3">
            <span className="flex items-center justify-between gap-3">
              <span className="font-semibold">{GROUP_WORDS[group].name()}</span>
              {canErase && <Badge>{m.data_can_erase()}</Badge>}
            </span>
            <span className="text-phrases">{GROUP_WORDS[group].text()}</span>
            <span className="text-secondary text-muted text-phrases">{keptText(group, days)}</span>
          </li>
        ))}
    </ul>
  )
}

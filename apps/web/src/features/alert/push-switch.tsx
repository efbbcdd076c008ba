import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useIsDegraded } from '../../api/config.ts'
import { queryClient } from '../../api/query-client.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { type PushState, readPushState, turnPushOff, turnPushOn } from './push-device.ts'

/** Turns alerts for this device on and off, for when the app is closed, and says what a message holds. */
export function PushSwitch({ owner }: { owner: string }) {
  const key = useCall('pushKey', {}).data?.public_key
  const queryKey = ['pushState', owner, key]
  const state = useQuery({
    queryKey,
    queryFn: () => readPushState(owner, key ?? null),
    enabled: key !== undefined,
    // The user may have changed the settings of the browser.
    refetchOnWindowFocus: 'always',
  }).data
  const change = useMutation({
    meta: { silent: true },
    retry: false,
    mutationFn: (on: boolean) => (on && key ? turnPushOn(owner, key) : turnPushOff()),
    onSuccess: (next) => queryClient.setQueryData(queryKey, next),
  })
  const isAway = useIsDegraded('push')
  if (state === undefined) return null
  const canChange = state === 'on' || state === 'off'
  return (
    <Card
      title={m.alert_push()}
      action={canChange && <Badge tone={state === 'on' ? 'done' : 'plain'}>{stateText(state)}</Badge>}
    >
      <div className="flex flex-col gap-3">
        <p className="text-label text-muted">{canChange ? m.alert_push_text() : stateText(state)}</p>
        <p role="status" className="text-label text-warn empty:hidden">
          {change.isError && m.alert_push_failed()}
        </p>
        <p role="status" className="text-label text-warn empty:hidden">
          {state === 'on' && isAway && m.alert_push_away()}
        </p>
        {canChange && (
          <Button look="quiet" size="small" busy={change.isPending} onClick={() => change.mutate(state === 'off')}>
            {state === 'on' ? m.alert_push_turn_off() : m.alert_push_turn_on()}
          </Button>
        )}
      </div>
    </Card>
  )
}

function stateText(state: PushState): string {
  switch (state) {
    case 'unsupported':
      return m.alert_push_unsupported()
    case 'no_keys':
      return m.alert_push_no_keys()
    case 'blocked':
      return m.alert_push_blocked()
    case 'on':
      return m.alert_push_on()
    case 'off':
      return m.alert_push_off()
  }
}

import { Waiting } from '@clearwell/ui/components/stage-parts.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { failureTexts } from '../../vault-payment/failure-text.ts'
import type { ActView } from './exit-act.ts'

/** The progress of a transaction of an exit, or why it did not happen. */
export function ActNote({ act: { state, failure } }: { act: ActView }) {
  const config = useConfig()
  switch (state) {
    case 'checking':
      return <Waiting text={m.payment_say_checking()} />
    case 'paying':
      return <Waiting text={m.payment_say_asking()} />
    case 'sent':
      return <Waiting text={m.exit_act_sent()} />
    case 'mined':
      return <Waiting text={m.exit_act_mined()} />
    case 'stopped':
    case 'no_response':
      break
    default:
      return null
  }
  const native = config?.chain.native.symbol ?? ''
  const texts = failure
    ? failureTexts(failure, {
        noResponse: state === 'no_response' ? m.payment_say_no_response() : undefined,
        unpaid: m.exit_act_nothing(),
        asset: native,
        coin: native,
        network: config?.chain.name ?? '',
      })
    : [m.payment_say_no_response()]
  return (
    <div role="alert" className="flex gap-3 rounded-card border border-warn/50 p-4 [overflow-wrap:anywhere]">
      <Icon name="triangle-alert" className="text-warn" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {texts.map((text, index) => (
          <p key={text} className={index === 0 ? 'text-warn' : undefined}>
            {text}
          </p>
        ))}
      </div>
    </div>
  )
}

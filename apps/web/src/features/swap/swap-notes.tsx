import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import { useShown } from '../../browser/use-shown.ts'
import { buttonClass } from '../../components/button.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format.ts'
import { sentences } from '../../i18n/sentences.ts'
import { Icon } from '../../icons/icon.tsx'
import { suspensionText } from './swap-refusal.ts'
import type { Pair } from './swap-terms.ts'

/** What stands in the way, and what it means. */
export function Warning({ title, text }: { title?: string; text?: string }) {
  return (
    <div className="flex gap-2 rounded-control border border-warn/50 px-3 py-2.5">
      <Icon name="triangle-alert" className="text-warn" />
      <p className="min-w-0">
        {title && <strong className="block text-warn">{title}</strong>}
        {text}
      </p>
    </div>
  )
}

/** That a pool takes no swaps, why and since when. */
export function SuspensionNote({ pair }: { pair: Pair }) {
  const since = pair.suspended_at ? [m.swap_suspended_since({ time: formatDateTime(pair.suspended_at) })] : []
  return <Warning title={m.swap_suspended()} text={sentences(suspensionText(pair.suspended_reason), ...since)} />
}

/** What went wrong, brought into sight and said at once; `detail` says whether money moved. */
export function Problem({ text, detail }: { text: string; detail?: ReactNode }) {
  const shown = useShown<HTMLParagraphElement>()
  return (
    <p ref={shown} role="alert" className="flex gap-2 rounded-control border border-down/50 p-3">
      <Icon name="circle-alert" className="text-down" />
      <span className="min-w-0">
        {text}
        {detail && <span className="block text-muted">{detail}</span>}
      </span>
    </p>
  )
}

/** Something is under way: it is said once, and does not move under reduced motion. */
export function Waiting({ text }: { text: string }) {
  return (
    <p role="status" className="flex gap-2 text-muted">
      <Icon name="loader-circle" className="animate-spin motion-reduce:animate-none" />
      <span className="min-w-0">{text}</span>
    </p>
  )
}

/** What helps against a refusal. */
export function WayOn({ refusal }: { refusal: ApiError }): ReactNode {
  switch (refusal.codeName) {
    case 'not_activated':
      return (
        <Link to="/{-$locale}/swap/activate" className={buttonClass()}>
          {m.nav_activate_now()}
        </Link>
      )
    case 'balance_not_enough':
      return (
        <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
          {m.swap_transfer_in()}
        </Link>
      )
    default:
      return null
  }
}

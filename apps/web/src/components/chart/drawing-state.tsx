import { cx } from '../../browser/cx.ts'
import { m } from '../../generated/paraglide/messages.js'
import { Button } from '../button.tsx'
import { ExternalLink } from '../external-link.tsx'

/** In the place of a drawing whose code could not be loaded. */
export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="absolute inset-0 flex flex-col items-center justify-center gap-3 text-center">
      <p>{m.ui_chart_not_loaded()}</p>
      <Button look="quiet" icon="refresh-cw" onClick={onRetry}>
        {m.app_retry()}
      </Button>
    </div>
  )
}

/** Who made what draws: their licence asks for it on each page that shows a chart. */
export function Attribution({ className }: { className?: string }) {
  return (
    <ExternalLink
      href="https://www.tradingview.com/"
      className={cx(
        '-my-2 inline-flex min-h-11 items-center text-label text-muted underline-offset-2 hover:underline',
        className,
      )}
    >
      {m.ui_chart_attribution()}
    </ExternalLink>
  )
}

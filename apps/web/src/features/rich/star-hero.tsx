import { HIGHEST_STAR } from '@clearwell/rules/rich-star'
import { useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { m } from '../../generated/messages.ts'
import type { RichOverview } from './rich.queries.ts'
import { progressWords, starWords } from './rich-words.ts'
import { StarLadder } from './star-ladder.tsx'

/** The user's star, the progress to the next one, and the UID that it belongs to. */
export function StarHero({ overview, onRename }: { overview: RichOverview; onRename: () => void }) {
  const { uid, name, star, progress, step_down: stepDown } = overview
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <span className="text-secondary text-muted">{m.rich_star_level()}</span>
        <p className="text-total">{star === 0 ? m.rich_star_none() : starWords(star)}</p>
      </div>
      <StarLadder star={star} top={HIGHEST_STAR} progress={stepDown ? 0 : Number(progress)} />
      {/* During a step down there is no next star. */}
      {!stepDown && <Progress overview={overview} />}
      {uid !== null && (
        <div className="-mb-2 flex items-center gap-1 border-t border-line pt-2">
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="truncate font-semibold">{name}</span>
            <span className="figures text-secondary text-muted">{m.rich_uid_is({ uid })}</span>
          </span>
          <CopyButton text={uid} label={m.rich_copy_uid()} />
          <IconButton icon="pencil" label={m.rich_rename()} onClick={onRename} className="-me-3" />
        </div>
      )}
    </Card>
  )
}

/** RT deposited towards the next star, as a bar and in words. */
function Progress({ overview }: { overview: RichOverview }) {
  const { deposit, required, progress } = overview
  const { hide } = useHiddenAmounts()
  if (required === null) return <p className="text-muted">{hide(progressWords(overview))}</p>
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-secondary text-muted">{m.rich_progress()}</span>
        <span className="figures">
          <AmountText amount={deposit} />
          <span className="text-muted"> / </span>
          <AmountText amount={required} asset="RT" />
        </span>
      </div>
      <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-line">
        <div className="h-full rounded-full bg-accent" style={{ width: `${Math.min(1, Number(progress)) * 100}%` }} />
      </div>
      <p className="text-secondary text-muted">{hide(progressWords(overview))}</p>
    </div>
  )
}

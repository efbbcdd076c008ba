import { Button } from '@clearwell/ui/components/button.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../generated/messages.ts'
import { useRankVisibility } from './rank.queries.ts'

/** Takes the user off all boards, or puts them back. */
export function RankVisibility({ hidden }: { hidden: boolean }) {
  const change = useRankVisibility()
  return (
    <Section title={m.rank_visibility()}>
      <div className="flex flex-col gap-3">
        <p className="text-secondary text-muted">{m.rank_visibility_text()}</p>
        <p role="status" className="flex items-center gap-2 empty:hidden">
          {hidden && (
            <>
              <Icon name="eye-off" className="size-4 text-muted" />
              {m.rank_hidden()}
            </>
          )}
        </p>
        <Button
          look="quiet"
          size="small"
          icon={hidden ? 'eye' : 'eye-off'}
          busy={change.isPending}
          onClick={() => change.mutate(!hidden)}
        >
          {hidden ? m.rank_show() : m.rank_hide()}
        </Button>
      </div>
    </Section>
  )
}

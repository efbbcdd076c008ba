import { useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Button } from '@clearwell/ui/components/button.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { m } from '../../generated/messages.ts'
import { rtWords } from './rich-words.ts'

/** Offers the part of the deposit that carries no star. Needs no activation: it is the user's own RT. */
export function TakeBack({ spare, star, onStart }: { spare: string; star: number; onStart: () => void }) {
  const { hide } = useHiddenAmounts()
  return (
    <Section title={m.rich_take_back()} className="flex flex-col">
      <p className="pb-3 text-muted">
        {hide(
          star === 0
            ? m.rich_take_back_all_text({ amount: rtWords(spare) })
            : m.rich_take_back_text({ amount: rtWords(spare), n: String(star) }),
        )}
      </p>
      <Button look="quiet" onClick={onStart}>
        {m.rich_take_back()}
      </Button>
    </Section>
  )
}

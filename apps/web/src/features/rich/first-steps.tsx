import { Card } from '@clearwell/ui/components/card.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Ripples } from '@clearwell/ui/components/ripples.tsx'
import { m } from '../../generated/messages.ts'
import { type RichProgram, useRichProgram } from './rich.queries.ts'
import { PROGRAM } from './rich.samples.ts'
import { rtWords } from './rich-words.ts'
import { StarShape } from './star-ladder.tsx'

/** Explains the steps to the first star, to visitors and to users without a UID. The figures are the server's. */
export function FirstSteps() {
  const { data: program } = useRichProgram()
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-col items-center gap-2 text-center text-phrases">
        <Ripples>
          <StarShape filled={1} className="size-16" />
        </Ripples>
        <p className="text-screen">{m.rich_welcome()}</p>
        <p className="text-muted">{m.rich_welcome_text()}</p>
      </div>
      <ol className="flex flex-col gap-3">
        {stepsOf(program).map(({ title, text }, index) => (
          <li key={title} className="flex gap-3">
            <span
              aria-hidden="true"
              className="figures flex size-7 shrink-0 items-center justify-center rounded-full bg-input text-secondary font-semibold text-accent"
            >
              {index + 1}
            </span>
            <span className="flex min-w-0 flex-col pt-1">
              <span className="font-semibold">{title}</span>
              {/* The figures in it come from the server; most texts have two lines. */}
              <span className="min-h-9 text-secondary text-phrases text-muted">
                {text ?? <Pending>{stepsOf(PROGRAM)[index]?.text}</Pending>}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function stepsOf(program: RichProgram | undefined) {
  const first = program?.stars[0]
  return [
    { title: m.rich_step_link(), text: m.rich_step_link_text() },
    {
      title: m.rich_step_deposit(),
      text: first ? m.rich_step_deposit_text({ amount: rtWords(first.required) }) : undefined,
    },
    {
      title: m.rich_step_request(),
      text: program ? m.rich_step_request_text({ hours: program.approval_hours }) : undefined,
    },
    {
      title: m.rich_step_collect(),
      text: program ? m.rich_step_collect_text({ amount: rtWords(program.max_per_weight) }) : undefined,
    },
  ]
}
